import Testing

@testable import TernJOSE

@Suite("Reading JSON (RFC 8259)")
struct JSONReadingTests {
    @Test(
        "Texts of the grammar",
        arguments: [
            ("null", JSON.null),
            ("true", true),
            ("false", false),
            (" \t\r\n0 \t\r\n", 0),
            ("-12", -12),
            (#""""#, ""),
            (#""a b""#, "a b"),
            ("[]", []),
            ("[ ]", []),
            ("[1, [2], {}]", [1, [2], [:]]),
            ("{}", [:]),
            (#"{"a":{"b":[null]} , "c":"d"}"#, ["a": ["b": [nil]], "c": "d"]),
            (#"{"":1}"#, ["": 1]),
        ] as [(String, JSON)])
    func accepted(text: String, value: JSON) throws {
        #expect(try JSON(parsing: text) == value)
        #expect(try JSON(parsing: Array(text.utf8)) == value)
    }

    @Test(
        "Texts outside the grammar",
        arguments: [
            ("", JSONError.Kind.unexpectedEnd, 0),
            ("  ", .unexpectedEnd, 2),
            ("nul", .unexpectedEnd, 3),
            ("nulL", .unexpectedByte, 3),
            ("True", .unexpectedByte, 0),
            ("NaN", .unexpectedByte, 0),
            ("+1", .unexpectedByte, 0),
            (".5", .unexpectedByte, 0),
            ("-", .invalidNumber, 0),
            ("01", .invalidNumber, 0),
            ("-01", .invalidNumber, 0),
            ("1.", .invalidNumber, 0),
            ("1.e3", .invalidNumber, 0),
            ("1e", .invalidNumber, 0),
            ("1e+", .invalidNumber, 0),
            ("1 2", .trailingBytes, 2),
            ("{} x", .trailingBytes, 3),
            ("0x10", .trailingBytes, 1),
            ("\u{c}1", .unexpectedByte, 0),
            ("\u{a0}1", .unexpectedByte, 0),
            ("[1,]", .unexpectedByte, 3),
            ("[,1]", .unexpectedByte, 1),
            ("[1 2]", .unexpectedByte, 3),
            ("[1", .unexpectedEnd, 2),
            ("[", .unexpectedEnd, 1),
            ("]", .unexpectedByte, 0),
            ("{", .unexpectedEnd, 1),
            (#"{"a"}"#, .unexpectedByte, 4),
            (#"{"a":}"#, .unexpectedByte, 5),
            (#"{"a":1,}"#, .unexpectedByte, 7),
            ("{a:1}", .unexpectedByte, 1),
            ("{'a':1}", .unexpectedByte, 1),
            ("{1:1}", .unexpectedByte, 1),
            (#"{"a":1]"#, .unexpectedByte, 6),
            ("// c\n1", .unexpectedByte, 0),
            (#""abc"#, .unexpectedEnd, 4),
            (#""abcdefghijk"#, .unexpectedEnd, 12),
        ] as [(String, JSONError.Kind, Int)])
    func refused(text: String, kind: JSONError.Kind, offset: Int) {
        #expect(throws: JSONError(kind, at: offset)) { try JSON(parsing: text) }
    }

    @Test(
        "Escapes",
        arguments: [
            (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t"),
            (#""\u0041\u00e9\u20AC""#, "Aé€"),
            (#""\uD83D\uDE00""#, "😀"),
            (#""x\ud834\udd1ey""#, "x𝄞y"),
            (#""\u0000""#, "\0"),
            (#""long enough to be read by words\u0021 and on""#, "long enough to be read by words! and on"),
            (#""€\n€""#, "€\n€"),
        ] as [(String, String)])
    func escapes(text: String, value: String) throws {
        #expect(try JSON(parsing: text).string?.utf8.elementsEqual(value.utf8) == true)
    }

    @Test(
        "Broken escapes and control characters",
        arguments: [
            #""\x""#, #""\u12""#, #""\u123g""#, #""\U0041""#, #""\ud83d""#, #""\ud83dx""#, #""\ud83d\n""#,
            #""\ud83d\ud83d""#, #""\ude00""#, "\"a\nb\"", "\"\u{1f}\"", "\"\0\"", "\"abcdefgh\tijk\"",
        ])
    func brokenStrings(text: String) {
        #expect { try JSON(parsing: text) } throws: { ($0 as? JSONError)?.kind == .invalidString }
    }

    @Test(
        "A text that ends inside an escape",
        arguments: [#""\"#, #""\u"#, #""\u00"#, #""\ud83d"#, #""\ud83d\"#, #""\n"#])
    func unfinishedEscapes(text: String) {
        #expect { try JSON(parsing: text) } throws: { ($0 as? JSONError)?.kind == .unexpectedEnd }
    }

    @Test(
        "Invalid UTF-8 (RFC 3629 §4)",
        arguments: [
            [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC2], [0xC2, 0x20], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF],
            [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xE2, 0x82], [0xE2, 0x82, 0x41], [0xF0, 0x80, 0x80, 0x80],
            [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF], [0xF0, 0x9F, 0x98],
        ] as [[UInt8]])
    func invalidUTF8(bytes: [UInt8]) {
        let quote = UInt8(ascii: "\"")
        for text in [[quote] + bytes + [quote], [quote] + bytes, [quote] + Array("\\n".utf8) + bytes + [quote]] {
            #expect { try JSON(parsing: text) } throws: { ($0 as? JSONError)?.kind == .invalidString }
        }
    }

    @Test("The outermost code points of each length of UTF-8")
    func validUTF8() throws {
        for scalar in ["\u{80}", "\u{7FF}", "\u{800}", "\u{D7FF}", "\u{E000}", "\u{FFFF}", "\u{10000}", "\u{10FFFF}"] {
            #expect(try JSON(parsing: "\"\(scalar)\"") == .string(scalar))
        }
    }

    @Test(
        "A repeated member is an error, however it is written",
        arguments: [
            (#"{"a":1,"a":1}"#, "a", 7),
            (#"{"a":1,"\u0061":2}"#, "a", 7),
            (#"{"x":{"b":1,"c":2,"b":3}}"#, "b", 18),
            (#"[{"":0,"":0}]"#, "", 7),
        ] as [(String, String, Int)])
    func repeatedMember(text: String, name: String, offset: Int) {
        #expect(throws: JSONError(.repeatedMember(name), at: offset)) { try JSON(parsing: text) }
    }

    @Test("Names differ code point by code point, not by canonical equivalence")
    func namesByCodePoint() throws {
        let object = try #require(try JSON(parsing: #"{"\u00e9":1,"e\u0301":2,"K":3,"\u212a":4}"#).object)
        #expect(object.count == 4)
        #expect(object["\u{e9}"] == 1)
        #expect(object["e\u{301}"] == 2)
        #expect(object["\u{212a}"] == 4)
        #expect(JSON.string("\u{e9}") != JSON.string("e\u{301}"))
        // Equivalent and of one length: the same two marks in another order.
        let marks = try #require(try JSON(parsing: #"{"a\u0323\u0302":1,"a\u0302\u0323":2}"#).object)
        #expect(marks["a\u{323}\u{302}"] == 1)
        #expect(marks["a\u{302}\u{323}"] == 2)
    }

    @Test("A repeated member is found among any number", arguments: [2, 16, 31, 32, 33, 64, 500])
    func repeatedAmongMany(count: Int) throws {
        let members = (0..<count).map { "\"name-\($0)\":\($0)" }
        let good = try JSON(parsing: "{\(members.joined(separator: ","))}")
        #expect(good.object?.count == count)
        #expect(good["name-\(count - 1)"]?.integer == Int64(count - 1))
        for repeated in [0, count / 2, count - 1] {
            let text = "{\(members.joined(separator: ",")),\"name-\(repeated)\":0}"
            #expect { try JSON(parsing: text) } throws: {
                ($0 as? JSONError)?.kind == .repeatedMember("name-\(repeated)")
            }
        }
    }

    @Test("Names that differ in few places differ")
    func similarNames() throws {
        let names = ["a1c2e", "a9c8e", "a1c8e", "a9c2e", "1", "2", "", "11", "12", "21"]
        let text = "{" + names.map { "\"\($0)\":\"\($0)\"" }.joined(separator: ",") + "}"
        let object = try #require(try JSON(parsing: text).object)
        for name in names { #expect(object[name]?.string == name) }
        for name in names {
            let repeated = text.dropLast() + ",\"\(name)\":0}"
            #expect(throws: JSONError(.repeatedMember(name), at: text.utf8.count)) {
                try JSON(parsing: String(repeated))
            }
        }
    }

    @Test("The name in an error is cut off")
    func repeatedLongName() throws {
        let name = String(repeating: "n", count: 1000)
        let error = #expect(throws: JSONError.self) { try JSON(parsing: "{\"\(name)\":1,\"\(name)\":2}") }
        #expect(error?.kind == .repeatedMember(String(repeating: "n", count: 64)))
        let forged = #expect(throws: JSONError.self) { try JSON(parsing: #"{"\n\u202e":1,"\n\u202e":2}"#) }
        #expect(forged?.description == #"the JSON member "\n\u{202E}" occurs twice, at offset 14"#)
    }

    @Test("Members keep their order")
    func order() throws {
        #expect(try JSON(parsing: #"{"z":1,"a":2,"m":3}"#).object?.names == ["z", "a", "m"])
    }
}
