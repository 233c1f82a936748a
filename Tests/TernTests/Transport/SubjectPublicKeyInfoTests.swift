import TernCrypto
import TernProtocol
import Testing

@testable import Tern

/// The keys, and the digests of their SubjectPublicKeyInfo, are from OpenSSL 3.0.
@Suite struct SubjectPublicKeyInfoTests {
    struct Key: Sendable, CustomTestStringConvertible {
        let name: String
        let bare: String
        let digest: String
        var testDescription: String { name }
    }

    private static func digest(_ bytes: [UInt8]) -> String { Base64.encode(HashFunction.sha256.digest(bytes)) }

    @Test(arguments: rsaKeys) func wrapsRSAKeys(key: Key) throws {
        let bare = try #require(Base64.decode(key.bare))
        #expect(Self.digest(SubjectPublicKeyInfo.rsa(pkcs1: bare)) == key.digest)
        #expect(Self.digest(SubjectPublicKeyInfo.rsa(pkcs1: Array(bare.dropLast()))) != key.digest)
    }

    @Test(arguments: curveKeys) func wrapsPoints(key: Key) throws {
        let point = try #require(Base64.decode(key.bare))
        #expect(Self.digest(try #require(SubjectPublicKeyInfo.ellipticCurve(point: point))) == key.digest)
    }

    @Test(arguments: [0, 1, 33, 64, 66, 96, 132, 134]) func refusesPointsOfOtherLengths(count: Int) {
        #expect(SubjectPublicKeyInfo.ellipticCurve(point: Array(repeating: 4, count: count)) == nil)
    }

    private static let rsaKeys = [
        Key(
            name: "RSA 2048",
            bare: """
                MIIBCgKCAQEApY85hyMeJYXv5jcMH95pkmVlFbNi4TgLjMtkXcxb1d61TlRgoV5HLEaupnAcGDRn7eVrZRjeVNSQBgZREkXE\
                YALrtBVW+kQxPzscD0hSj3q6b5lUkpPovLUD65paX2kpmOL131669/7ebDd3Vs253+kxcQaVRuO5YyDmmu2VUFkqDTfOK/w/\
                BkXUha9fu0fQNAOdJN5q8ecpNrVO5XobsT4/byK55q4OjjhsFkKGhyu361KyR4nsE9T8cM3uI1SkX6vwv/U1w0s/GZZV+Mhh\
                zItTrKnIZsQS+c6PaAB/j0vHYIm5ZCs+/NN78MkLlO5A37+2pCxms6idXDjcH4gYxQIDAQAB
                """,
            digest: "ZZnb2PO0Xam8nm/lnBMc6j6PcFTr6+S/ZJV2lVcAicY="),
        Key(
            name: "RSA 3072",
            bare: """
                MIIBigKCAYEA4Ukvrd/fC7O5plz3yacdwSquphjoWskNCh/mC9lPLLt2omZ50cpfUAVRAorJRxtb2JijTkPC645u57zsUvBP\
                wCeAnhkTUSazDIPnjeVXA3b3G6UYP93ICV2CafSgzViDnRvsTM9joiYOwJ92CErrcAuIOD1A4GGKB1flc3/T4DjFf7VaLusI\
                NAEf3Sq3V7E/7cA4QZvs7oOeBU50o8lHKmf194Rnb86XZFo+KfgDUolkpOuCqPh+WlVS5Cin7K7548ES2C21L0NkPE8ox2RH\
                ISRuwwbrv+NdLrd4TV58FI4XdCrChMdPBU/yW9clrn/rgSYukpjv5tW8MxzD5/cS5GNbSCUYKbGi6BWvh6O00LJ6pFcG8s5w\
                VK+xo7OlJkt0mfi8r3D+EWx0lUAa/QZ/PomRFoqofdIl7V3Dphr3c7aO79pCHeweJCF+WejnWFUYx7myRNGmLeLCnfwn1jeT\
                brKOf7r9XrWNzcPQyGLoh+dzVK39l1Z/lohX7pd4VvVLAgMBAAE=
                """,
            digest: "8khep6JwlNTqvsg5XkCNU5l6p2nPlswAJj8eqQKvaO4="),
        Key(
            name: "RSA 4096",
            bare: """
                MIICCgKCAgEAzAJdNpiA554oW0Wfe2DvEaawrU6+lwJXilFOLQuhsiaL8Y0xnAAFP2heQJjEx79uk9emM1MnPV5Qw3+hBQhV\
                yrQgllPGWImrELlPqBmRXQdFDhq5mTmQM26lPumT8kyPjuJMfifnC62OhTuadd1xnwnHU2FOkqNZ8qkUBM3cdxbnGWw4ErMS\
                0QT+W0341rN/Hl2GYNi8uFlNUhrM0R5z2fNyUtTBJJexuWFcYfkAkrkLYN6zwQ8fi4VMpZxq2Emn1r1eRdkPwT5UWmWPxOqj\
                6irRlVZt2p3kkyj8r8OFdHz4Xn5Z7Nqw6C7YU0E1kCGjp01vTw+gFvDpA95ImI8w23HQUOqnrr+c7mG5pvaCjDD3TmG3J7nE\
                4nErwqL6gulqGkFQgmL2FvZhSTDy1RVlCWVXvm5PjpB9FqUbUHCAbcRjwv5+kViA+CvuCevsS57p1pWc1ob0e+n8uF5LEGDU\
                w5xHpWxOumdty72OmIRtpFaNTsXeg2NgTpbW7CNVu4xr+js4591x9BZp8y9eOfwmhCOnJSOnqj4034AJXT+FJypi1Fwc5FZB\
                DE8/TgziXlyjCLD78Qmlb0ZNhqfdyH9R9kkvMR2a+foPfOucKZBZEvOShhsZMzO+W64A9muEDai9lGOmhQj1OKhlYtVyWbt1\
                pF5TKTVSAzpN3dfo+Df4pFsCAwEAAQ==
                """,
            digest: "Ox5uPA4TPYR4RlrI5cT5j1cLQyYzxRGioEO2tGA0sHE="),
    ]

    private static let curveKeys = [
        Key(
            name: "P-256",
            bare: """
                BBwOB+JTP9edVQ0CH8VTmrvB4oQHgT5jIpe2thK6+6ei9WY6pirXucKQwKKJn9S8TokiK+tzvUHgzsQO7o6ZBWU=
                """,
            digest: "B7sQk7HV181femifeQRHbAxzd9raSwaI/dYH8W6wJU8="),
        Key(
            name: "P-384",
            bare: """
                BB7JwZd+hlC2GvqO/scsdvILdPFzJ2MphX8Zvma4+acFmAwIGNpqHQuBUE9iu4fjRc82G8fTDba/sDdmijtSPr8dV//5jIAV\
                VsxDv8vyU0c1O2e8fv9BU7RVPI/SiSsquA==
                """,
            digest: "7+xrae4aQaifG8IP4I1rqfW5msvrQf92g4XYmU6krTc="),
        Key(
            name: "P-521",
            bare: """
                BAGDH00+MlQ3BN99VFiAS1cXb/n3yquC1QX8u2oqY4+36aAcwGoEo16wMCjcWWNN2Gax05sgqc0L5rZ0te+l9ZHd6gCczrRt\
                fHQmE0Xhhw0La6I91nmPkBY5EEJP0nbMH6Kv0oYE0i8m2mo6DZH6L8NoI0i+8q8Ts/saOH8GKt4qnY0wsg==
                """,
            digest: "8u256PP4hsTd2lIeDNBiYzh8Xw4kAlB0UL54PMXz1/c="),
    ]
}
