/// The method of a request (RFC 9110 §9).
public struct HTTPMethod: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral {
    /// The method's name as it is sent.
    public let rawValue: String

    /// A method by its name, which is sent as it stands.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A method by its name.
    public init(stringLiteral value: String) { rawValue = value }

    /// GET.
    public static let get: HTTPMethod = "GET"
    /// HEAD.
    public static let head: HTTPMethod = "HEAD"
    /// POST.
    public static let post: HTTPMethod = "POST"
    /// PUT.
    public static let put: HTTPMethod = "PUT"
    /// PATCH.
    public static let patch: HTTPMethod = "PATCH"
    /// DELETE.
    public static let delete: HTTPMethod = "DELETE"

    /// Whether a repeat after a lost connection changes nothing (RFC 9110 §9.2.2).
    public var isIdempotent: Bool { [.get, .head, .put, .delete, "OPTIONS", "TRACE"].contains(self) }
}

/// A request as a value. Its description shows neither the query, nor field values, nor the body.
public struct HTTPRequest: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// What a request carries.
    public enum Body: Sendable, Hashable {
        /// Nothing.
        case none
        /// Form parameters, sent as `application/x-www-form-urlencoded`.
        case form(FormParameters)
        /// Bytes; their type is the field `Content-Type`.
        case bytes([UInt8])
    }

    /// The method.
    public var method: HTTPMethod
    /// Where the request goes.
    public var url: URI
    /// The header fields. `Content-Length` and `Host` are the transport's.
    public var fields: HTTPFields
    /// The body.
    public var body: Body

    /// Makes a request.
    public init(_ method: HTTPMethod = .get, _ url: URI, fields: HTTPFields = [:], body: Body = .none) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
    }

    /// A GET of an address.
    ///
    /// - Throws: ``TernError`` when the text is not an absolute address.
    public static func get(_ address: String) throws(TernError) -> HTTPRequest {
        HTTPRequest(.get, try URI.required(address, field: "url", step: .resourceRequest))
    }

    /// The form in the body; setting it makes the body a form.
    public var form: FormParameters {
        get { if case .form(let parameters) = body { parameters } else { [:] } }
        set { body = .form(newValue) }
    }

    /// The body as it is sent, in bytes.
    public var bodyBytes: [UInt8]? {
        switch body {
        case .none: nil
        case .form(let parameters): Array(parameters.encoded.utf8)
        case .bytes(let bytes): bytes
        }
    }

    /// Method and address without query.
    public var description: String { "\(method.rawValue) \(url.redacted)" }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// An answer as a value. Its description shows neither field values nor the body.
public struct HTTPResponse: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// The status code.
    public var status: Int
    /// The header fields.
    public var fields: HTTPFields
    /// The body, complete.
    public var body: [UInt8]

    /// Makes an answer.
    public init(status: Int, fields: HTTPFields = [:], body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// Whether the status is 200 to 299.
    public var isSuccess: Bool { (200...299).contains(status) }

    /// The media type without parameters, in lower case, where the answer names one.
    public var mediaType: String? {
        guard let value = fields["Content-Type"] else { return nil }
        let end = value.firstIndex(of: ";") ?? value.endIndex
        return String(String(value[..<end]).trimmingASCIIWhitespace).asciiLowercased
    }

    /// Status and size.
    public var description: String { "HTTP \(status), \(body.count) bytes" }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
