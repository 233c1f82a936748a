import Foundation
import Tern
import TernTesting
import Testing

@Suite("tern keys", .serialized, .timeLimit(.minutes(2)))
struct KeysRunTests {
    private let folder: TemporaryFolder
    private let run: CommandRun

    init() throws {
        folder = try TemporaryFolder()
        run = CommandRun(store: folder.path)
    }

    private func path(_ name: String) -> String { folder.path + "/" + name }

    private func key(_ name: String) throws -> JWK {
        let data = try #require(FileManager.default.contents(atPath: path(name)))
        return try JWK(parsing: Array(data))
    }

    @Test(
        "generate writes a private key and prints its public half",
        arguments: [
            ["ES256"], ["ES512"], ["RS256"], ["PS256"], ["EdDSA"], ["Ed25519"], ["RSA-OAEP-256"], ["ECDH-ES"],
            ["ECDH-ES+A256KW", "--curve", "X25519"], ["ECDH-ES", "--curve", "P-521"], ["RS256", "--bits", "3072"],
        ])
    func generate(options: [String]) async throws {
        let words = ["keys", "generate", path("key.jwk"), "--alg"] + options
        let outcome = try await run(words: words) { _ in nil }
        #expect(outcome.status == 0, "\(outcome.errors)")
        let key = try key("key.jwk")
        #expect(key.isSecret)
        #expect(key.algorithm == options[0])
        #expect(key.keyID == key.thumbprint())
        let published = try JWKSet(parsing: Array(outcome.output.utf8))
        #expect(published.keys.count == 1)
        #expect(published.keys.first?.isSecret == false)
        #expect(published.keys.first?.thumbprint() == key.thumbprint())
        #expect(published.keys.first?.use == key.use)
        let attributes = try FileManager.default.attributesOfItem(atPath: path("key.jwk"))
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        for secret in ["\"d\"", "\"p\"", "\"k\""] { #expect(!(outcome.output + outcome.errors).contains(secret)) }
        if options.last == "3072", case .rsaPrivate(let rsa) = key.material { #expect(rsa.publicKey.bitCount == 3072) }
        if options.contains("X25519") { #expect(key.curveName == "X25519") }

        let shown = try await run("keys", "show", path("key.jwk"))
        #expect(shown.output == outcome.output)
        let thumbprint = try await run("keys", "thumbprint", path("key.jwk"))
        #expect(thumbprint.output == key.thumbprint() + "\n")
        let json = try await run("keys", "thumbprint", path("key.jwk"), "--json")
        #expect(try JSON(parsing: json.output)["keys"]?.array?.first?["thumbprint"]?.string == key.thumbprint())
    }

    @Test("A file that is there is never overwritten, and no link is followed")
    func overwriting() async throws {
        try Data("mine".utf8).write(to: URL(fileURLWithPath: path("old.jwk")))
        try FileManager.default.createSymbolicLink(atPath: path("link.jwk"), withDestinationPath: path("elsewhere.jwk"))
        for name in ["old.jwk", "link.jwk", "missing/key.jwk"] {
            let outcome = try await run("keys", "generate", path(name), "--alg", "ES256", "--json")
            #expect(outcome.status == 2)
            #expect(outcome.lastError?["error"]?["code"]?.string == "invalid_configuration")
            #expect(outcome.output.isEmpty)
        }
        #expect(FileManager.default.contents(atPath: path("old.jwk")) == Data("mine".utf8))
        #expect(!FileManager.default.fileExists(atPath: path("elsewhere.jwk")))
    }

    @Test(
        "import takes PEM as OpenSSL writes it",
        arguments: [
            ("genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256", "ES256"),
            ("ecparam -genkey -name secp384r1", "ES384"), ("ecparam -genkey -noout -name secp521r1", "ECDH-ES"),
            ("genpkey -algorithm ED25519", "EdDSA"), ("genpkey -algorithm X25519", "ECDH-ES+A128KW"),
            ("genrsa 2048", "PS256"), ("genrsa -traditional 2048", "RSA-OAEP"),
        ])
    func importPEM(openSSL: String, algorithm: String) async throws {
        let made = try await run.shell("openssl \(openSSL) > '\(path("key.pem"))' 2>/dev/null")
        try #require(made.status == 0)
        let outcome = try await run(
            "keys", "import", path("key.jwk"), "--pem", path("key.pem"), "--alg", algorithm, "--kid", "mine")
        #expect(outcome.status == 0, "\(outcome.errors)")
        let key = try key("key.jwk")
        #expect(key.keyID == "mine")
        #expect(key.algorithm == algorithm)
        // The public half is the one that OpenSSL writes.
        let shown = try await run("keys", "thumbprint", path("key.pem"))
        #expect(shown.output == key.thumbprint() + "\n")
        let wrong = try await run(
            "keys", "import", path("other.jwk"), "--pem", path("key.pem"), "--alg",
            algorithm.hasPrefix("ES") ? "RS256" : "ES256")
        #expect(wrong.status == 2)
        #expect(!FileManager.default.fileExists(atPath: path("other.jwk")))
    }

    @Test("Encrypted and foreign PEM is refused with a word of advice")
    func refusedPEM() async throws {
        let encrypted = try await run.shell(
            "openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -aes256 -pass pass:x > '\(path("a.pem"))'")
        try #require(encrypted.status == 0)
        let outcome = try await run("keys", "import", path("a.jwk"), "--pem", path("a.pem"))
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("encrypted"))
        let curve = try await run.shell("openssl ecparam -genkey -name secp256k1 > '\(path("b.pem"))' 2>/dev/null")
        try #require(curve.status == 0)
        #expect(try await run("keys", "import", path("b.jwk"), "--pem", path("b.pem")).status == 2)
        try Data("nothing".utf8).write(to: URL(fileURLWithPath: path("c.pem")))
        #expect(try await run("keys", "import", path("c.jwk"), "--pem", path("c.pem")).status == 2)
        #expect(try await run("keys", "show", path("nowhere.jwk")).status == 2)
    }

    @Test("show takes a key set, and leaves shared keys out")
    func showSet() async throws {
        let keys = JWKSet([
            try JWK.generate(for: .es256, keyID: "a"), try JWK.generate(for: .a128KW, keyID: "shared"),
            try JWK.generate(for: .ecdhES, keyID: "b"),
        ])
        let text = JSON.object(["keys": .array(keys.keys.map { .object($0.privateJSON()) })]).text
        try Data(text.utf8).write(to: URL(fileURLWithPath: path("set.json")))
        let outcome = try await run("keys", "show", path("set.json"))
        #expect(try JWKSet(parsing: Array(outcome.output.utf8)).keys.map(\.keyID) == ["a", "b"])
        let thumbprints = try await run("keys", "thumbprint", path("set.json"))
        #expect(thumbprints.output.split(separator: "\n").count == 2)
    }

    @Test(
        "Calls that make no sense",
        arguments: [
            ["keys"], ["keys", "generate"], ["keys", "generate", "f"], ["keys", "make", "f"],
            ["keys", "generate", "f", "--alg", "HS256"], ["keys", "generate", "f", "--alg", "dir"],
            ["keys", "generate", "f", "--alg", "RSA1_5"],
            ["keys", "generate", "f", "--alg", "ES256", "--curve", "P-256"],
            ["keys", "generate", "f", "--alg", "ES256", "--bits", "4096"],
            ["keys", "generate", "f", "--alg", "RS256", "--bits", "1024"],
            ["keys", "generate", "f", "--alg", "RS256", "--bits", "2049"],
            ["keys", "generate", "f", "--alg", "ECDH-ES", "--curve", "P-192"], ["keys", "show", "f", "--alg", "ES256"],
            ["keys", "import", "f"], ["keys", "generate", "f", "--alg", "ES256", "--pem", "x"],
        ])
    func usage(words: [String]) async throws {
        let outcome = try await run(words: words + ["--json"]) { _ in nil }
        #expect(outcome.status == 2)
        #expect(outcome.lastError?["error"]?["code"]?.string == "usage")
        #expect(!FileManager.default.fileExists(atPath: "f"))
    }

    @Test("A login with a key that was made here opens what the server encrypts")
    func login() async throws {
        let made = try await run("keys", "generate", path("open.jwk"), "--alg", "ECDH-ES+A128KW", "--curve", "X25519")
        let key = try #require(try JWKSet(parsing: Array(made.output.utf8)).keys.first)
        var app = TestClient.app
        app.idTokenEncryption = TestEncryption(.ecdhESA128KW, key: key)
        app.userInfoEncryption = app.idTokenEncryption
        let server = try TestServer.start(AuthorizationServer(clients: [app]))
        try await run.login(at: server, "--decryption-key", path("open.jwk"))
        let who = try await run("whoami", "--json")
        #expect(who.status == 0, "\(who.errors)")
        #expect(try JSON(parsing: who.output)["sub"]?.string == TestUser.ada.subject)
        try FileManager.default.removeItem(atPath: path("open.jwk"))
        let without = try await run("whoami", "--json")
        #expect(without.status == 2)
        #expect(without.errors.contains("--decryption-key"))
    }
}
