public import TernCrypto
public import TernJOSE

/// A user that a test server knows.
public struct TestUser: Sendable, Hashable, CustomStringConvertible {
    /// The name that is typed on the login page. The address in the claim `email` works as well.
    public var username: String
    /// The password that is typed on the login page.
    public var password: Secret<TestUser>
    /// The claim `sub`: what the client knows the user by (OpenID Connect Core 1.0 §2).
    public var subject: String
    /// What the user information says beside `sub`. The scopes `profile`, `email`, `address` and `phone` open the claims
    /// of OpenID Connect Core 1.0 §5.4; any other claim is opened by the scope of the same name.
    public var claims: JSONObject

    /// Makes a user.
    ///
    /// - Parameters:
    ///   - username: the name that is typed on the login page.
    ///   - password: the password that is typed on the login page.
    ///   - subject: the claim `sub`; `user-` and the name where it is left out.
    ///   - claims: what the user information says beside `sub`.
    public init(_ username: String, password: String, subject: String? = nil, claims: JSONObject = [:]) {
        self.username = username
        self.password = Secret(password)
        self.subject = subject ?? "user-" + username
        self.claims = claims
    }

    /// Ada, with the password `lovelace` and every claim that the standard scopes open.
    public static let ada = TestUser(
        "ada", password: "lovelace",
        claims: [
            "name": "Ada Lovelace", "given_name": "Ada", "family_name": "Lovelace", "preferred_username": "ada",
            "locale": "en-GB", "zoneinfo": "Europe/London", "birthdate": "1815-12-10", "updated_at": 1_735_689_600,
            "email": "ada@example.com", "email_verified": true,
            "phone_number": "+44 20 7946 0000", "phone_number_verified": false,
            "address": ["locality": "London", "country": "United Kingdom"],
        ])

    /// The user's name.
    public var description: String { "test user \(username)" }

    func claims(openedBy scopes: Set<String>) -> JSONObject {
        var opened: JSONObject = [:]
        for (name, value) in claims where scopes.contains(Self.scope(of: name)) { opened[name] = value }
        return opened
    }

    private static func scope(of claim: String) -> String {
        switch claim {
        case "name", "family_name", "given_name", "middle_name", "nickname", "preferred_username", "profile", "picture",
            "website", "gender", "birthdate", "zoneinfo", "locale", "updated_at":
            "profile"
        case "email", "email_verified": "email"
        case "phone_number", "phone_number_verified": "phone"
        default: claim
        }
    }
}
