public import TernCrypto
internal import TernJOSE

/// The purpose of ``DeviceCode``.
public enum DeviceCodePurpose: Sendable {}
/// What a device asks for its tokens with (RFC 8628 §3.2).
public typealias DeviceCode = Secret<DeviceCodePurpose>

/// What a user needs to sign in on another device (RFC 8628 §3.2).
///
/// Show ``userCode`` and ``verificationURI``. A ``completeVerificationURI`` spares the typing, as a QR code for example;
/// the user code is shown beside it all the same, so that the user can compare it (§3.3.1).
public struct DeviceAuthorization: Sendable, Hashable {
    /// What the device asks with, and nobody else sees.
    public let deviceCode: DeviceCode
    /// What the user types, as it is to be shown.
    public let userCode: String
    /// Where the user types it.
    public let verificationURI: URI
    /// The same page with the code in the address; `nil` where the server does not offer it.
    public let completeVerificationURI: URI?
    /// How long both codes are good from the answer on; `nil` where the server does not say so in a way that makes sense.
    public let lifetime: Duration?
    /// How long the device waits before each question; five seconds where the server does not say.
    public let interval: Duration

    /// The interval where the server names none: five seconds (§3.2).
    public static let standardInterval = Duration.seconds(5)

    /// The longest user code that is taken, in characters.
    public static let maximumUserCodeLength = 100

    init(_ object: JSONObject) throws(TernError) {
        func malformed(_ field: String) -> TernError {
            TernError(.malformedResponse(field: field), at: .deviceAuthorization)
        }
        guard let deviceCode = object["device_code"]?.string, !deviceCode.isEmpty else {
            throw malformed("device_code")
        }
        guard let userCode = object["user_code"]?.string, !userCode.isEmpty,
            userCode.count <= Self.maximumUserCodeLength, ServerError.cleaned(userCode) == userCode
        else { throw malformed("user_code") }
        // Drafts of the standard called it otherwise, and servers of that time do so still.
        guard let page = (object["verification_uri"] ?? object["verification_url"])?.string.flatMap({ URI($0) }),
            page.isWebPage
        else { throw malformed("verification_uri") }
        guard page.isSecure || page.isLoopback else {
            throw TernError(.insecureEndpoint(field: "verification_uri"), at: .deviceAuthorization)
        }
        let complete = (object["verification_uri_complete"] ?? object["verification_url_complete"])?.string
        self.deviceCode = DeviceCode(deviceCode)
        self.userCode = userCode
        verificationURI = page
        completeVerificationURI = complete.flatMap { URI($0) }
            .flatMap { $0.isWebPage && ($0.isSecure || $0.isLoopback) ? $0 : nil }
        lifetime = object["expires_in"]?.positiveSeconds
        interval = object["interval"]?.positiveSeconds ?? Self.standardInterval
    }
}

extension DeviceAuthorization: CustomStringConvertible, CustomReflectable {
    /// Says that codes are here.
    public var description: String { "<device authorization>" }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension URI {
    /// Whether a browser shows a page at the address.
    fileprivate var isWebPage: Bool { ["http", "https"].contains(normalizedScheme) && !hasUserInformation }
}
