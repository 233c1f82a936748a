public import TernJOSE

/// What a client may do, said more exactly than a scope can (RFC 9396 §2): a type, which decides what else may be there, and
/// the members that belong to it.
public struct AuthorizationDetail: Sendable, Hashable {
    /// What kind of access it is about.
    public let type: String
    /// What the type wants to know, without the type itself.
    public var members: JSONObject

    /// Makes a detail.
    ///
    /// - Parameters:
    ///   - type: what kind of access it is about.
    ///   - members: what the type wants to know, such as `locations`, `actions` and `datatypes` (§2.2).
    /// - Throws: ``TernError`` with the field `authorization_details` for an empty type, and for members that name another.
    public init(type: String, members: JSONObject = [:]) throws(TernError) {
        guard !type.isEmpty, members["type"].map({ $0.string == type }) ?? true else {
            throw TernError(
                .invalidConfiguration(field: "authorization_details", problem: "a detail needs one type"),
                at: .configuration)
        }
        self.type = type
        self.members = members
        self.members["type"] = nil
    }

    /// Reads a detail; `nil` when it is no object with a type.
    public init?(_ json: JSON) {
        guard let members = json.object, let type = members["type"]?.string, !type.isEmpty else { return nil }
        self.type = type
        self.members = members
        self.members["type"] = nil
    }

    /// The detail as an object, its type first.
    public var json: JSON {
        var object: JSONObject = ["type": .string(type)]
        for (name, value) in members { object[name] = value }
        return .object(object)
    }

    /// The details in a member of an answer or a token; what is no detail is left out.
    public static func all(in json: JSON?) -> [AuthorizationDetail] {
        (json?.array ?? []).compactMap(AuthorizationDetail.init)
    }
}

extension TokenResponse {
    /// What was granted, where the server says so (RFC 9396 §7); it may be less than was asked for, or more exact.
    public var authorizationDetails: [AuthorizationDetail] {
        AuthorizationDetail.all(in: additionalMembers["authorization_details"])
    }
}

extension ServerMetadata {
    /// The types of details that the server knows; `nil` where it does not say (RFC 9396 §10).
    public var authorizationDetailsTypes: [String]? { list("authorization_details_types_supported") }
}
