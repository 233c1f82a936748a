import TernCrypto
import Testing

/// The examples of FIPS 180-4 and RFC 6234 section 8.5: the empty text, "abc", the text of two blocks and a million "a".
@Suite("Hash functions (FIPS 180-4)")
struct HashFunctionTests {
    private static let empty: [(HashFunction, String)] = [
        (.sha1, "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
        (.sha256, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        (
            .sha384,
            "38b060a751ac96384cd9327eb1b1e36a21fdb71114be07434c0cc7bf63f6e1da274edebfe76f65fbd51ad2f14898b95b"
        ),
        (
            .sha512,
            "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
                + "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e"
        ),
    ]

    @Test(arguments: empty)
    func `empty message`(hash: HashFunction, digest: String) throws {
        #expect(try hash.digest([]) == hex(digest))
        #expect(try hash.digest(UnsafeRawBufferPointer(start: nil, count: 0)) == hex(digest))
    }

    private static let oneBlock: [(HashFunction, String)] = [
        (.sha1, "a9993e364706816aba3e25717850c26c9cd0d89d"),
        (.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            .sha384,
            "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7"
        ),
        (
            .sha512,
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
        ),
    ]

    @Test(arguments: oneBlock)
    func `one block`(hash: HashFunction, digest: String) throws {
        #expect(try hash.digest(Array("abc".utf8)) == hex(digest))
    }

    static let longer = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"
    static let longest =
        "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
        + "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu"

    private static let twoBlocks: [(HashFunction, String, String)] = [
        (.sha1, longer, "84983e441c3bd26ebaae4aa1f95129e5e54670f1"),
        (.sha256, longer, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"),
        (
            .sha384, longest,
            "09330c33f71147e83d192fc782cd1b4753111b173b3b05d22fa08086e3b0f712fcc7c71a557e2db966c3e9fa91746039"
        ),
        (
            .sha512, longest,
            "8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018"
                + "501d289e4900f7e4331b99dec4b5433ac7d329eeb6dd26545e96e55b874be909"
        ),
    ]

    @Test(arguments: twoBlocks)
    func `two blocks`(hash: HashFunction, message: String, digest: String) throws {
        #expect(try hash.digest(Array(message.utf8)) == hex(digest))
    }

    private static let million: [(HashFunction, String)] = [
        (.sha1, "34aa973cd4c4daa4f61eeb2bdbad27316534016f"),
        (.sha256, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
        (
            .sha384,
            "9d0e1809716474cb086e834e310a4a1ced149e9c00f248527972cec5704c2a5b07b8b3dc38ecc4ebae97ddd87f3d8985"
        ),
        (
            .sha512,
            "e718483d0ce769644e2e42c7bc15b4638e1f98b13b2044285632a803afa973eb"
                + "de0ff244877ea60a4cb0432ce577c31beb009c5c2c49aa2e4eadb217ad8cc09b"
        ),
    ]

    @Test(arguments: million)
    func `a million bytes`(hash: HashFunction, digest: String) throws {
        #expect(try hash.digest([UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)) == hex(digest))
    }

    @Test(arguments: HashFunction.allCases)
    func `the digest has the stated length`(hash: HashFunction) {
        #expect(hash.digest([1, 2, 3]).count == hash.byteCount)
    }
}
