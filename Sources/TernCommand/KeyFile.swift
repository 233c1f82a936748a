internal import Tern

/// A file with keys: a JWK, a key set, or PEM.
enum KeyFile {
    /// Reads the keys.
    ///
    /// - Parameters:
    ///   - name: what an error calls the file: its path, or the option that names it.
    ///   - isPrivate: whether only its owner may be able to read it.
    /// - Throws: `invalidConfiguration` when there is nothing in it that can be used.
    static func read(_ path: String, called name: String, isPrivate: Bool = false) throws(TernError) -> JWKSet {
        let bytes = isPrivate ? try PrivateFile.read(path, called: name) : try bytes(of: path, called: name)
        let isPEM = bytes.drop { $0 <= 0x20 }.first != UInt8(ascii: "{")
        return try usable(name) { () throws(JOSEError) in
            if isPEM { return JWKSet([try JWK(pem: bytes)]) }
            do throws(JOSEError) {
                return try JWKSet(parsing: bytes)
            } catch {
                guard error == .malformed("keys") else { throw error }
                return JWKSet([try JWK(parsing: bytes)])
            }
        }
    }

    static func bytes(of path: String, called name: String) throws(TernError) -> [UInt8] {
        guard let bytes = SmallFile.read(path) else {
            throw TernError(.invalidConfiguration(field: name, problem: "it cannot be read"), at: .configuration)
        }
        return bytes
    }

    /// Does something with keys of the file, and blames the file for what fails.
    static func usable<Result>(
        _ name: String, _ body: () throws(JOSEError) -> Result
    ) throws(TernError) -> Result {
        do throws(JOSEError) {
            return try body()
        } catch {
            throw TernError(.invalidConfiguration(field: name, problem: error.description), at: .configuration)
        }
    }
}
