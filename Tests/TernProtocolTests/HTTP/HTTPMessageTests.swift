import TernProtocol
import Testing

@Suite("HTTP messages (RFC 9110)")
struct HTTPMessageTests {
    @Test("Names are found without regard to case, values lose surrounding blanks")
    func fields() {
        var fields: HTTPFields = ["Content-Type": " application/json\t", "X-A": "1", "x-a": "2"]
        #expect(fields["content-type"] == "application/json")
        #expect(fields.values(of: "X-a") == ["1", "2"])
        fields["x-A"] = "3"
        #expect(fields.values(of: "x-a") == ["3"])
        fields["X-A"] = nil
        #expect(fields["x-a"] == nil)
        #expect(fields.fields.map(\.name) == ["Content-Type"])
    }

    @Test(
        "A field that could smuggle another one is not kept",
        arguments: [
            ("X", "a\r\nSet-Cookie: b"), ("X", "a\nb"), ("X", "a\rb"), ("X", "a\u{0}b"), ("X", "a\u{7F}"),
            ("X\r\nY", "a"),
            ("X:Y", "a"), ("X Y", "a"), ("", "a"), ("Ä", "a"), ("X", "a\u{1B}[31m"), ("X", "\r\n"),
        ])
    func injection(name: String, value: String) {
        var fields = HTTPFields()
        let isLegal = fields.append(name, value)
        #expect(!isLegal)
        fields[name] = value
        #expect(fields.fields.isEmpty)
        #expect(HTTPFields(dictionaryLiteral: (name, value)).fields.isEmpty)
    }

    @Test("Tabs and text beyond ASCII are legal in a value")
    func legalValues() {
        var fields = HTTPFields()
        let isLegal = fields.append("X", "a\tb é")
        #expect(isLegal)
        #expect(fields["x"] == "a\tb é")
    }

    @Test("Descriptions show neither values nor bodies")
    func descriptions() {
        let fields: HTTPFields = ["Authorization": "Bearer at-secret", "Accept": "*/*"]
        let response = HTTPResponse(status: 200, fields: fields, body: Array("rt-secret".utf8))
        var dumped = ""
        dump(response, to: &dumped)
        #expect("\(fields)" == "Authorization, Accept")
        #expect("\(response)" == "HTTP 200, 9 bytes")
        #expect(!dumped.contains("secret"))
    }

    @Test(
        "The media type is read without parameters and case",
        arguments: [
            ("Application/JSON; charset=utf-8", "application/json"), ("text/plain;charset=UTF-8", "text/plain"),
            (" text/html ", "text/html"), (";", ""),
        ])
    func mediaType(value: String, expected: String) {
        #expect(HTTPResponse(status: 200, fields: ["Content-Type": value]).mediaType == expected)
    }

    @Test("An answer without a label has no media type")
    func noMediaType() { #expect(HTTPResponse(status: 200).mediaType == nil) }

    @Test("Success is 200 to 299", arguments: [(199, false), (200, true), (299, true), (300, false), (-1, false)])
    func success(status: Int, expected: Bool) { #expect(HTTPResponse(status: status).isSuccess == expected) }

    @Test("A form becomes a body")
    func form() throws {
        var request = try HTTPRequest.get("https://h/")
        #expect(request.bodyBytes == nil && request.form.isEmpty)
        request.form["a"] = "b c"
        #expect(request.bodyBytes == Array("a=b%20c".utf8))
        #expect(throws: TernError.self) { try HTTPRequest.get("h") }
    }

    @Test("POST and PATCH are not repeated by themselves")
    func idempotence() {
        #expect(HTTPMethod.get.isIdempotent && HTTPMethod.put.isIdempotent && HTTPMethod.delete.isIdempotent)
        #expect(!HTTPMethod.post.isIdempotent && !HTTPMethod.patch.isIdempotent && !HTTPMethod("get").isIdempotent)
    }
}
