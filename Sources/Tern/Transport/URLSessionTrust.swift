#if canImport(Darwin)
    internal import Foundation
    internal import Security
    internal import TernCrypto
    internal import TernProtocol

    /// Decides whom a session trusts and what it shows of itself. The references to the Security framework never change
    /// after the beginning.
    final class URLSessionTrust: @unchecked Sendable {
        enum Answer {
            /// The system decides.
            case system
            /// Not in this way; another one may do.
            case other
            /// Go on with this, or without anything.
            case credential(URLCredential?)
            /// Go no further.
            case refused(TernError.NetworkFailure)
        }

        private let anchors: [SecCertificate]
        private let pins: Set<String>
        private let identity: URLCredential?

        /// Reads the certificates of a policy.
        init(_ policy: TransportPolicy, step: Step) throws(TernError) {
            pins = Set(policy.pins.map(\.base64))
            let encoded = PEMText.certificates(in: policy.certificateAuthorities) ?? []
            anchors = encoded.compactMap { SecCertificateCreateWithData(nil, Data($0) as CFData) }
            // An authority left out in silence would show only as a server that is not trusted.
            guard policy.certificateAuthorities.isEmpty || !anchors.isEmpty && anchors.count == encoded.count else {
                throw TernError(
                    .invalidConfiguration(field: "certificateAuthorities", problem: "they cannot be read"), at: step)
            }
            identity = try Self.credential(policy.clientIdentity, step)
        }

        func answer(to challenge: URLAuthenticationChallenge) -> Answer {
            switch challenge.protectionSpace.authenticationMethod {
            case NSURLAuthenticationMethodServerTrust: serverAnswer(challenge.protectionSpace.serverTrust)
            // Without an identity of the policy's, none of the system's is shown.
            case NSURLAuthenticationMethodClientCertificate: .credential(identity)
            // The system would answer these with the tickets of whoever is logged in.
            case NSURLAuthenticationMethodNegotiate, NSURLAuthenticationMethodNTLM: .other
            default: .system
            }
        }

        private func serverAnswer(_ trust: SecTrust?) -> Answer {
            guard !anchors.isEmpty || !pins.isEmpty else { return .system }
            guard let trust else { return .refused(.untrustedCertificate("there is no certificate")) }
            if !anchors.isEmpty {
                guard SecTrustSetAnchorCertificates(trust, anchors as CFArray) == errSecSuccess,
                    SecTrustSetAnchorCertificatesOnly(trust, true) == errSecSuccess
                else { return .refused(.untrustedCertificate("the authorities cannot be used")) }
            }
            var error: CFError?
            guard SecTrustEvaluateWithError(trust, &error) else {
                let words = error.map { CFErrorCopyDescription($0) as String } ?? "it was refused"
                return .refused(.untrustedCertificate(words))
            }
            guard pins.isEmpty || SecTrustCopyKey(trust).flatMap(Self.pin).map(pins.contains) == true else {
                return .refused(.pinMismatch)
            }
            return .credential(URLCredential(trust: trust))
        }

        private static func pin(of key: SecKey) -> String? {
            guard let bytes = SecKeyCopyExternalRepresentation(key, nil) as Data?,
                let attributes = SecKeyCopyAttributes(key) as? [String: Any],
                let type = attributes[kSecAttrKeyType as String] as? String
            else { return nil }
            let algorithm: SubjectPublicKeyInfo.Algorithm =
                type == kSecAttrKeyTypeRSA as String ? .rsa : .ellipticCurve
            return SubjectPublicKeyInfo.der(of: [UInt8](bytes), algorithm)
                .map { Base64.encode(HashFunction.sha256.digest($0)) }
        }

        private static func credential(_ identity: ClientIdentity?, _ step: Step) throws(TernError) -> URLCredential? {
            func invalid(_ problem: String) -> TernError {
                TernError(.invalidConfiguration(field: "clientIdentity", problem: problem), at: step)
            }
            switch identity?.material {
            case nil: return nil
            case .system(let given):
                return URLCredential(
                    identity: given.identity, certificates: given.certificates, persistence: .forSession)
            case .pem: throw invalid("this system takes a PKCS#12 file, not PEM text")
            case .pkcs12(let bytes, let password):
                var options: [String: Any] = [kSecImportExportPassphrase as String: password]
                if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
                    options[kSecImportToMemoryOnly as String] = true
                }
                var items: CFArray?
                guard SecPKCS12Import(Data(bytes) as CFData, options as CFDictionary, &items) == errSecSuccess,
                    let first = (items as? [[String: Any]])?.first,
                    let found = first[kSecImportItemIdentity as String],
                    CFGetTypeID(found as CFTypeRef) == SecIdentityGetTypeID()
                else { throw invalid("certificate or key cannot be used") }
                let chain = first[kSecImportItemCertChain as String] as? [Any]
                // The type was compared above; a conditional cast to a Core Foundation type is not offered.
                return URLCredential(
                    identity: unsafeDowncast(found as AnyObject, to: SecIdentity.self),
                    certificates: chain.map { Array($0.dropFirst()) }, persistence: .forSession)
            }
        }
    }
#endif
