import TernCrypto
import Testing

@Suite("Secret, random numbers, comparison")
struct SecretTests {
    private enum Password {}

    @Test func `a secret shows nothing`() {
        let secret = Secret<Password>("correct horse")
        var dumped = ""
        dump(["key": secret], to: &dumped)
        for text in ["\(secret)", String(reflecting: secret), "\([secret])", dumped] {
            #expect(!text.contains("horse"))
        }
        #expect(secret.exposedText == "correct horse")
        #expect(secret == Secret("correct horse"))
        #expect(secret != Secret("correct horsf"))
        #expect(!secret.isEmpty && Secret<Password>("").isEmpty)
    }

    @Test func `constant-time comparison`() {
        #expect(constantTimeEqual([1, 2, 3], [1, 2, 3]))
        #expect(!constantTimeEqual([1, 2, 3], [1, 2, 4]))
        #expect(!constantTimeEqual([1, 2, 3], [9, 2, 3]))
        #expect(!constantTimeEqual([1, 2, 3], [1, 2]))
        #expect(constantTimeEqual([UInt8](), [UInt8]()))
    }

    @Test(arguments: [-1, 0, 1, 7, 8, 9, 31, 32, 33, 1000])
    func `random bytes`(count: Int) {
        let bytes = SystemRandomSource().bytes(count)
        #expect(bytes.count == max(0, count))
        #expect(count < 16 || bytes != SystemRandomSource().bytes(count))
    }

    @Test func `a locked value`() async {
        let counter = Locked(0)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 { group.addTask { for _ in 0..<1000 { counter.withLock { $0 += 1 } } } }
        }
        #expect(counter.withLock { $0 } == 8000)
    }
}
