internal import Tern

extension SavedClient {
    /// How a client proves who it is, in the words of `--client-auth`.
    enum AuthenticationMethod: String, CaseIterable, Sendable {
        case none, basic, post, tls
        case rawBasic = "raw-basic"
        case secretJWT = "client-secret-jwt"
        case privateKeyJWT = "private-key-jwt"
        case selfSignedTLS = "self-signed-tls"

        static let specification = OptionSpecification(
            "--client-auth", value: "METHOD",
            "none, basic, post, raw-basic, client-secret-jwt, private-key-jwt, tls or self-signed-tls; made out of what "
                + "else is given by default")

        /// What the options mean: the method that they name, or the usual one for what the client has.
        init(
            _ arguments: Arguments, _ secret: SecretSource?, _ files: ClientKeyFiles, knowsAudience: Bool = true
        ) throws(UsageError) {
            try self.init(arguments, secret, files)
            guard knowsAudience, arguments.value("--audience") != nil else { return }
            guard self == .privateKeyJWT || self == .secretJWT else {
                throw UsageError("--audience is for --client-auth private-key-jwt and client-secret-jwt")
            }
        }

        private init(
            _ arguments: Arguments, _ secret: SecretSource?, _ files: ClientKeyFiles
        ) throws(UsageError) {
            guard let word = arguments.value("--client-auth") else {
                self =
                    if files.certificateFile != nil { .tls } else if files.keyFile != nil { .privateKeyJWT } else {
                        secret == nil ? .none : .basic
                    }
                return
            }
            self = try Self.named(word)
            switch self {
            case .none: break
            case .basic, .post, .rawBasic, .secretJWT:
                guard secret != nil else {
                    throw UsageError("--client-auth \(word) wants --client-secret-env or --client-secret-file")
                }
            case .privateKeyJWT:
                guard files.keyFile != nil else { throw UsageError("--client-auth \(word) wants --client-key") }
            case .tls, .selfSignedTLS:
                guard files.certificateFile != nil else {
                    throw UsageError("--client-auth \(word) wants --client-certificate and --client-key")
                }
            }
        }

        static func named(_ word: String) throws(UsageError) -> Self {
            guard let method = Self(rawValue: word) else {
                throw UsageError.unknown("method", word, among: allCases.map(\.rawValue))
            }
            return method
        }

        /// The method's name in metadata (RFC 7591 §2, RFC 8705 §2).
        var registeredName: String {
            switch self {
            case .none: "none"
            case .basic, .rawBasic: "client_secret_basic"
            case .post: "client_secret_post"
            case .secretJWT: "client_secret_jwt"
            case .privateKeyJWT: "private_key_jwt"
            case .tls: "tls_client_auth"
            case .selfSignedTLS: "self_signed_tls_client_auth"
            }
        }

        init?(registeredName name: String?) {
            guard let method = Self.allCases.first(where: { $0.registeredName == name }) else { return nil }
            self = method
        }
    }

    /// The client's proof, with its secret and key read anew.
    func proof(_ registration: ClientInformation?) throws(TernError) -> ClientAuthentication {
        if let registration {
            // The server has the last word about the method; in which form it wants the secret the metadata cannot say.
            let proof = try registration.authentication(
                key: authentication == .privateKeyJWT ? keys.signingKey() : nil, assertion: keys.assertion)
            if authentication == .rawBasic, case .basic(let secret) = proof { return .rawBasic(secret) }
            return proof
        }
        switch authentication {
        case .none: return .none
        case .tls, .selfSignedTLS: return .tls
        case .privateKeyJWT:
            guard let key = try keys.signingKey() else { throw Self.missing("--client-key") }
            return .privateKeyJWT(key, keys.assertion)
        case .basic, .post, .rawBasic, .secretJWT: break
        }
        guard let secret = try secret?.read() else { return .none }
        switch authentication {
        case .post: return .post(secret)
        case .rawBasic: return .rawBasic(secret)
        case .secretJWT: return .secretJWT(secret, keys.assertion)
        default: return .basic(secret)
        }
    }

    /// Notes in which form the server has taken the client's proof, so that the next call need not find it out.
    mutating func note(_ accepted: ClientAuthentication) {
        switch accepted {
        case .rawBasic: authentication = .rawBasic
        case .privateKeyJWT(_, let assertion), .secretJWT(_, _, let assertion): keys.audience = assertion.audience
        case .none, .basic, .post, .tls, .attestation: break
        }
    }

    private static func missing(_ option: String) -> TernError {
        TernError(.invalidConfiguration(field: option, problem: "it is missing"), at: .configuration)
    }
}
