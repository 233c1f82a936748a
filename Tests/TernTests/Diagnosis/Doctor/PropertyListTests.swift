import Foundation
import Tern
import Testing

@Suite("Property lists")
struct PropertyListTests {
    private static let head = #"""
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        """#

    private func read(_ body: String, head: String = head) throws -> PropertyListValue {
        try PropertyListValue(parsing: Array("\(head)\n<plist version=\"1.0\">\n\(body)\n</plist>\n".utf8))
    }

    private func problem(_ text: String) -> String? {
        let error = #expect(throws: PropertyListError.self) { try PropertyListValue(parsing: Array(text.utf8)) }
        return error?.problem
    }

    @Test("Every kind of value in XML")
    func kinds() throws {
        let list = try read(
            """
            <dict>
              <key>text</key> <string>a &lt;b&gt; &amp; &#99; &#x64; &quot;&apos; <!-- no -->e<![CDATA[ <&> ]]></string>
              <!-- a comment -->
              <key>empty</key><string/>
              <key>yes</key><true/><key>no</key><false></false>
              <key>whole</key><integer> -12 </integer>
              <key>hex</key><integer>0x1F</integer><key>real</key><real>1.5e3</real>
              <key>date</key><date>2026-01-02T03:04:05Z</date><key>data</key><data>AAEC</data>
              <key>list</key><array><string>ä</string><array/><dict/></array>
            </dict>
            """)
        #expect(list["text"]?.string == "a <b> & c d \"' e <&> ")
        #expect(list["empty"] == .string(""))
        #expect(list["yes"] == true)
        #expect(list["no"]?.bool == false)
        #expect(list["whole"] == .number(-12))
        #expect(list["hex"] == .number(31))
        #expect(list["real"] == .number(1500))
        #expect(list["date"] == .other)
        #expect(list["data"] == .other)
        #expect(list["list"] == ["ä", [], [:]])
        #expect(try read("<true/>", head: "\u{FEFF}") == true)
    }

    // Foundation writes both forms, so that this reader is held against another one.
    @Test("The binary form says the same as the XML form")
    func binary() throws {
        let long = String(repeating: "x", count: 300)
        let object: [String: Any] = [
            "text": "plain", "wide": "ä€😀", "long": long, "yes": true, "no": false, "small": 7, "large": 1 << 40,
            "negative": -5, "real": 2.5, "date": Date(timeIntervalSince1970: 0), "data": Data([1, 2, 3]),
            "list": (0..<400).map { "item \($0)" }, "deep": ["a": ["b": ["c": [] as [String]]]],
        ]
        let binary = try PropertyListSerialization.data(fromPropertyList: object, format: .binary, options: 0)
        let xml = try PropertyListSerialization.data(fromPropertyList: object, format: .xml, options: 0)
        let value = try PropertyListValue(parsing: Array(binary))
        #expect(value == (try PropertyListValue(parsing: Array(xml))))
        #expect(value["wide"]?.string == "ä€😀")
        #expect(value["long"]?.string == long)
        #expect(value["large"] == .number(1_099_511_627_776))
        #expect(value["negative"] == .number(-5))
        #expect(value["real"] == .number(2.5))
        #expect(value["list"]?.array?.count == 400)
        #expect(value["list"]?.array?.last == "item 399")
        #expect(value["deep"]?["a"]?["b"]?["c"] == [])
    }

    @Test(
        "What is no property list is refused with the reason",
        arguments: [
            ("", "it ends too early"), ("{ a = b; }", "a tag was expected"), (#"{"a": 1}"#, "a tag was expected"),
            ("<html></html>", "it does not begin with <plist>"), ("<plist/>", "it does not begin with <plist>"),
            ("<plist><dict>", "it ends too early"), ("<plist></plist>", "</plist> has no beginning"),
            ("<plist><true/><true/></plist>", "</plist> is missing"),
            ("<plist><true/></plist>x", "something follows </plist>"),
            ("<plist><dict><string>a</string></dict></plist>", "a <key> is missing"),
            ("<plist><dict><key>a</key></dict></plist>", "</dict> has no beginning"),
            (
                "<plist><dict><key>a</key><true/><key>a</key><false/></dict></plist>",
                "the key \"a\" occurs twice"
            ),
            ("<plist><set/></plist>", "<set> is not known"),
            ("<plist><integer>x</integer></plist>", "a number cannot be read"),
            ("<plist><integer>--1</integer></plist>", "a number cannot be read"),
            ("<plist><string>a & b</string></plist>", "an ampersand is not written as &amp;"),
            ("<plist><string>&more;</string></plist>", "an entity is not known"),
            ("<plist><string>&#xD800;</string></plist>", "an entity is not known"),
            ("<plist><string>a</key></plist>", "</string> is missing"), ("<!-- <plist/>", "<!-- does not end"),
            (
                "<!DOCTYPE plist [<!ENTITY a \"b\">]><plist><true/></plist>",
                "its document type has declarations of its own"
            ), ("<plist", "a tag does not end"),
        ])
    func refused(text: String, expected: String) { #expect(problem(text) == expected) }

    @Test("Depth, size and number of values are bounded")
    func bounds() {
        let deep = String(repeating: "<array>", count: 100_000)
        #expect(problem("<plist>" + deep) == "it is nested too deeply")
        let many = String(repeating: "<true/>", count: 100_001)
        #expect(problem("<plist><array>\(many)</array></plist>") == "it holds too many values")
        let large = String(repeating: " ", count: PropertyListValue.maximumByteCount + 1)
        #expect(problem(large)?.hasPrefix("it is larger than") == true)
    }

    @Test("Text that is not UTF-8 is refused")
    func encodings() {
        for bytes: [UInt8] in [
            [0xFE, 0xFF, 0, 0x3C], Array("<plist><string>".utf8) + [0xC3] + Array("</string></plist>".utf8),
        ] {
            #expect(throws: PropertyListError.self) { try PropertyListValue(parsing: bytes) }
        }
    }

    @Test("Damaged binary lists are refused or read, and never end the program")
    func damaged() throws {
        let object: [String: Any] = ["a": ["b", "c"], "d": "ä", "e": 5, "f": 1.5]
        let good = Array(try PropertyListSerialization.data(fromPropertyList: object, format: .binary, options: 0))
        for end in good.indices { #expect((try? PropertyListValue(parsing: Array(good[..<end]))) == nil, "\(end)") }
        for index in good.indices {
            for byte: UInt8 in [0x00, 0x0F, 0x5F, 0x7F, 0xAF, 0xD0, 0xDF, 0xFF] {
                var bytes = good
                bytes[index] = byte
                _ = try? PropertyListValue(parsing: bytes)
            }
        }
    }

    @Test("Damaged XML is refused or read, and never ends the program")
    func damagedXML() {
        let good = Array(
            "<?xml?><!DOCTYPE plist><plist><dict><key>a</key><array><string>&lt;<!-- b --><![CDATA[c]]></string></array></dict></plist>"
                .utf8)
        #expect((try? PropertyListValue(parsing: good)) == ["a": ["<c"]])
        for end in good.indices { #expect((try? PropertyListValue(parsing: Array(good[..<end]))) == nil, "\(end)") }
        for index in good.indices {
            for byte: UInt8 in [0x00, 0x20, 0x21, 0x26, 0x2D, 0x2F, 0x3B, 0x3C, 0x3E, 0x5D, 0xC3, 0xFF] {
                var bytes = good
                bytes[index] = byte
                _ = try? PropertyListValue(parsing: bytes)
            }
        }
    }

    @Test("A binary list that holds itself, or one object a million times, is refused")
    func bombs() {
        func list(_ objects: [[UInt8]]) -> [UInt8] {
            var bytes = Array("bplist00".utf8)
            var offsets: [UInt8] = []
            for object in objects {
                offsets.append(UInt8(bytes.count))
                bytes += object
            }
            let table = UInt8(bytes.count)
            bytes += offsets
            let count = UInt8(objects.count)
            let zeros = [UInt8](repeating: 0, count: 7)
            return bytes + zeros.dropLast() + [1, 1] + zeros + [count] + zeros + [0] + zeros + [table]
        }
        #expect((try? PropertyListValue(parsing: list([[0xA1, 1], [0x09]]))) == [true])
        func problem(_ bytes: [UInt8]) -> String? {
            (#expect(throws: PropertyListError.self) { try PropertyListValue(parsing: bytes) })?.problem
        }
        #expect(problem(list([[0xA1, 0]])) == "it is nested too deeply")
        let doubling = (1...20).map { [0xAA] + [UInt8](repeating: $0, count: 10) } + [[0x09]]
        #expect(problem(list(doubling)) == "it holds too many values")
        #expect(problem(list([[0xAF, 0x13, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]])) == "a length is wrong")
        #expect(problem(list([[0x70]])) == "an object is of an unknown kind")
        #expect(problem(list([[0xA1, 9]])) == "an object is outside of it")
        #expect(problem(list([[0xD1, 0, 0]])) == "it is nested too deeply")
        #expect(problem(list([[0xD1, 1, 1], [0x09]])) == "a key is no text")
    }
}
