internal import TernCrypto

/// Turns secrets into short tags such as `‹code 3f9a01›`: the same secret always into the same tag, so that one sees that it
/// came back. The tags are keyed with random bytes that are never told, so that nobody can try out secrets against them, and
/// two logs cannot be compared.
public final class SecretTags: Sendable {
    private let key: HMACKey
    private let names = Locked<[[UInt8]: String]>([:])

    /// Secrets beyond so many get tags under the name that they have where they occur.
    private static let maximumCount = 10_000

    /// Begins with a new key.
    public init(random: some RandomSource = SystemRandomSource()) { key = HMACKey(random.bytes(32)) }

    /// The tag of a secret. It keeps the name under which it was met first.
    public func tag(_ secret: EventSecret, named name: String) -> String {
        guard !secret.text.isEmpty else { return "" }
        let digest = Array(key.authenticationCode(for: Array(secret.text.utf8), using: .sha256).prefix(3))
        let known = names.withLock { names in
            if let known = names[digest] { return known }
            if names.count < Self.maximumCount { names[digest] = name }
            return name
        }
        let digits = digest.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
        return "‹\(known) \(digits)›"
    }

    /// A value in words.
    public func words(_ field: Event.Field) -> String {
        switch field.value {
        case .text(let text): text
        case .number(let number): String(number)
        case .seconds(let seconds): String((seconds * 1_000).rounded() / 1_000)
        case .list(let list): list.joined(separator: "; ")
        case .secret(let secret): tag(secret, named: field.name)
        case .parameters(let fields): fields.map { "\($0.name)=\(words($0))" }.joined(separator: " ")
        }
    }
}
