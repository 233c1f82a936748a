import TernCrypto
import TernProtocol
import Testing

@testable import Tern

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Certificates of an authority of its own, made by the `openssl` command in a temporary folder.
final class TestCertificates: Sendable {
    let folder: String

    static var isToolThere: Bool {
        (["/usr/bin/openssl", "/usr/local/bin/openssl"] as [String]).contains { path in access(path, X_OK) == 0 }
    }

    private static let newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]

    init() async throws {
        var template = Array("/tmp/tern-tls-XXXXXX".utf8CString)
        folder = try #require(mkdtemp(&template).map { String(cString: $0) })
        try await authority("ca")
        try await authority("other")
        try await certificate("server", "subjectAltName=IP:127.0.0.1")
        try await certificate("misnamed", "subjectAltName=DNS:elsewhere.example")
        try await certificate("client", "extendedKeyUsage=clientAuth")
        try await openssl([
            "pkcs12", "-export", "-in", path("client.pem"), "-inkey", path("client.key"), "-passout", "pass:secret",
            "-out", path("client.p12"),
        ])
        try await openssl(["x509", "-in", path("server.pem"), "-pubkey", "-noout", "-out", path("server.pub")])
        try await openssl([
            "pkey", "-pubin", "-in", path("server.pub"), "-outform", "der", "-out", path("server.der"),
        ])
    }

    deinit {
        for name in ["ca", "other", "server", "misnamed", "client", "rsa", "ec"] {
            for ending in ["pem", "key", "p12", "pub", "der"] { unlink("\(folder)/\(name).\(ending)") }
        }
        rmdir(folder)
    }

    func path(_ name: String) -> String { "\(folder)/\(name)" }

    func bytes(_ name: String) throws -> [UInt8] {
        let file = try #require(fopen(path(name), "r"))
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 100_000)
        return Array(bytes[..<fread(&bytes, 1, bytes.count, file)])
    }

    /// The pin of the server's key, computed from the key that openssl wrote.
    func serverPin() throws -> PublicKeyPin {
        try PublicKeyPin(Base64.encode(HashFunction.sha256.digest(try bytes("server.der"))))
    }

    private func authority(_ name: String) async throws {
        try await openssl(
            ["req", "-x509", "-subj", "/CN=\(name)", "-keyout", path("\(name).key"), "-out", path("\(name).pem")]
                + Self.newKey)
    }

    private func certificate(_ name: String, _ extra: String) async throws {
        try await openssl(
            [
                "req", "-x509", "-CA", path("ca.pem"), "-CAkey", path("ca.key"), "-subj", "/CN=\(name)", "-keyout",
                path("\(name).key"), "-out", path("\(name).pem"), "-addext", "basicConstraints=critical,CA:FALSE",
                "-addext", extra,
            ] + Self.newKey)
    }

    func openssl(_ arguments: [String]) async throws {
        let process = try #require(ChildProcess.start(["openssl"] + arguments))
        let status = await RawPeer.onThread { ChildProcess.waitForEnd(of: process) }
        try #require(status == 0, "openssl \(arguments.first ?? "") failed")
    }
}

/// `openssl s_server`, which answers every request with a page of its own.
final class TLSServer: Sendable {
    let port: Int
    private let process: pid_t

    init(_ certificates: TestCertificates, _ name: String = "server", _ options: [String] = []) async throws {
        let free = try HTTPListener { _ in HTTPResponse(status: 200) }
        port = free.port
        await free.stop()
        process = try #require(
            ChildProcess.start(
                [
                    "openssl", "s_server", "-accept", "127.0.0.1:\(port)", "-cert", certificates.path("\(name).pem"),
                    "-key", certificates.path("\(name).key"), "-www", "-quiet",
                ] + options))
        let deadline = ContinuousClock.now + .seconds(20)
        while true {
            if let socket = RawPeer.connect(port) {
                close(socket)
                break
            }
            try #require(ContinuousClock.now < deadline, "openssl s_server does not listen")
            await Task.yield()
        }
    }

    deinit {
        kill(process, SIGTERM)
        _ = ChildProcess.waitForEnd(of: process)
    }

    /// What comes of one request: `nil` when an answer with status 200.
    func failure(_ policy: TransportPolicy, _ method: HTTPMethod = .get) async throws -> TernError.Reason? {
        var request = try HTTPRequest.get("https://127.0.0.1:\(port)/")
        request.method = method
        do throws(TernError) {
            let answer = try await CurlTransport(policy: policy).send(request, step: .discovery)
            #expect(answer.status == 200)
            return nil
        } catch {
            return error.reason
        }
    }
}
