public import TernJOSE
public import TernProtocol

/// Makes keys that stay where they are made, such as in the Secure Enclave, and finds them again.
///
/// The store keeps the handle of a key with the credential, so a handle must be of no use without the vault. It is dropped
/// with the credential.
public protocol KeyVault: Sendable {
    /// A new key, and the handle by which it is found again.
    ///
    /// - Throws: ``/TernProtocol/TernError`` where no key can be made.
    func makeKey() throws(TernError) -> (key: SigningKey, handle: String)

    /// The key of a handle. It is asked for with each request, so it had better be quick.
    ///
    /// - Throws: ``/TernProtocol/TernError``: `reauthenticationRequired` where the key is gone, since only a new sign-in helps
    ///   then; whatever else stands in the way.
    func key(for handle: String) throws(TernError) -> SigningKey
}
