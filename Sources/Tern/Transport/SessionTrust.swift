#if canImport(Darwin)
    internal import Foundation
    internal import Security
    internal import TernCrypto
    internal import TernProtocol

    /// Whom a session trusts and what it shows of itself, in the objects of the Security framework, which do not change
    /// once they are made.
    struct SessionTrust: @unchecked Sendable {
        /// What a challenge is answered with.
        struct Answer {
            let disposition: URLSession.AuthChallengeDisposition
            var credential: URLCredential?
            var failure: TernError.NetworkFailure?
        }

        private let anchors: [SecCertificate]
        private let pins: Set<String>
        private let identity: SystemIdentity?

        init(_ policy: TransportPolicy, _ step: Step) throws(TernError) {
            pins = Set(policy.pins.map(\.base64))
            anchors = try Self.anchors(policy.certificateAuthorities, step)
            switch policy.clientIdentity?.material {
            case nil: identity = nil
            case .system(let given): identity = given
            case .pkcs12(let bytes, let password): identity = try Self.identity(bytes, password, step)
            case .pem: throw Self.problem("clientIdentity", "this system takes no PEM keys; use PKCS#12", step)
            }
        }

        private static func problem(_ field: String, _ text: String, _ step: Step) -> TernError {
            TernError(.invalidConfiguration(field: field, problem: text), at: step)
        }

        private static func anchors(_ text: [UInt8], _ step: Step) throws(TernError) -> [SecCertificate] {
            guard !text.isEmpty else { return [] }
            let encoded = PEMText.certificates(in: text) ?? []
            let anchors = encoded.compactMap { SecCertificateCreateWithData(nil, Data($0) as CFData) }
            guard !anchors.isEmpty, anchors.count == encoded.count else {
                throw problem("certificateAuthorities", "they cannot be read", step)
            }
            return anchors
        }

        private static func identity(
            _ bytes: [UInt8], _ password: String, _ step: Step
        ) throws(TernError) -> SystemIdentity {
            var options: [String: Any] = [kSecImportExportPassphrase as String: password]
            // Otherwise macOS puts the identity into the user's keychain.
            if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
                options[kSecImportToMemoryOnly as String] = true
            }
            var items: CFArray?
            let status = SecPKCS12Import(Data(bytes) as CFData, options as CFDictionary, &items)
            guard status == errSecSuccess, let item = (items as? [[String: Any]])?.first,
                let value = item[kSecImportItemIdentity as String],
                CFGetTypeID(value as CFTypeRef) == SecIdentityGetTypeID()
            else { throw problem("clientIdentity", "certificate or key cannot be used", step) }
            // The first of the chain is the identity's own certificate.
            let chain = item[kSecImportItemCertChain as String] as? [SecCertificate] ?? []
            return SystemIdentity(
                identity: unsafeDowncast(value as AnyObject, to: SecIdentity.self),
                certificates: Array(chain.dropFirst()))
        }

        func answer(to challenge: URLAuthenticationChallenge) -> Answer {
            let space = challenge.protectionSpace
            switch space.authenticationMethod {
            case NSURLAuthenticationMethodServerTrust: return answer(for: space.serverTrust)
            case NSURLAuthenticationMethodClientCertificate:
                // No credential means going on without: the system would look for one of its own.
                let credential = identity.map {
                    URLCredential(identity: $0.identity, certificates: $0.certificates, persistence: .forSession)
                }
                return Answer(disposition: .useCredential, credential: credential)
            case NSURLAuthenticationMethodNegotiate, NSURLAuthenticationMethodNTLM:
                // The system would answer with the tickets of whoever is logged in.
                return Answer(disposition: .rejectProtectionSpace)
            default: return Answer(disposition: .performDefaultHandling)
            }
        }

        private func answer(for trust: SecTrust?) -> Answer {
            guard !anchors.isEmpty || !pins.isEmpty else { return Answer(disposition: .performDefaultHandling) }
            guard let trust else { return Self.refusal(.untrustedCertificate("the server showed none")) }
            if !anchors.isEmpty {
                guard SecTrustSetAnchorCertificates(trust, anchors as CFArray) == errSecSuccess,
                    SecTrustSetAnchorCertificatesOnly(trust, true) == errSecSuccess
                else { return Self.refusal(.untrustedCertificate("the authorities cannot be used")) }
            }
            var error: CFError?
            guard SecTrustEvaluateWithError(trust, &error) else {
                let text = error.map { CFErrorCopyDescription($0) as String }
                return Self.refusal(.untrustedCertificate(text ?? "the certificate is not trusted"))
            }
            guard pins.isEmpty || Self.pin(of: trust).map(pins.contains) == true else {
                return Self.refusal(.pinMismatch)
            }
            // Where the system's authorities count, the system's own verdict comes on top.
            if anchors.isEmpty { return Answer(disposition: .performDefaultHandling) }
            return Answer(disposition: .useCredential, credential: URLCredential(trust: trust))
        }

        private static func refusal(_ failure: TernError.NetworkFailure) -> Answer {
            Answer(disposition: .cancelAuthenticationChallenge, failure: failure)
        }

        /// The digest of the server's key in Base64; `nil` for a kind of key that is not known, which fits no pin.
        private static func pin(of trust: SecTrust) -> String? {
            guard let key = SecTrustCopyKey(trust), let data = SecKeyCopyExternalRepresentation(key, nil),
                let attributes = SecKeyCopyAttributes(key) as? [String: Any],
                let type = attributes[kSecAttrKeyType as String] as? String
            else { return nil }
            let bytes = [UInt8](data as Data)
            var info: [UInt8]?
            if type == kSecAttrKeyTypeRSA as String { info = SubjectPublicKeyInfo.rsa(pkcs1: bytes) }
            if type == kSecAttrKeyTypeECSECPrimeRandom as String {
                info = SubjectPublicKeyInfo.ellipticCurve(point: bytes)
            }
            return info.map { Base64.encode(HashFunction.sha256.digest($0)) }
        }
    }
#endif
