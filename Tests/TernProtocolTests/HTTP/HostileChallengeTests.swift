import TernProtocol
import Testing

/// `WWW-Authenticate` as servers and gateways in the field write it, and as somebody with bad intentions would. What the
/// grammar of RFC 9110 §11 and RFC 6750 §3 allows is read as it says; of the rest as much as makes sense.
@Suite("Hostile challenges", .timeLimit(.minutes(1)))
struct HostileChallengeTests {
    /// A challenge as a text: scheme, token, and parameters in the order of their names.
    private func read(_ values: [String]) -> [String] {
        AuthenticateChallenge.all(in: fields(values)).map { challenge in
            let parameters = challenge.parameters.sorted { $0.key < $1.key }.map { "\($0.key)=[\($0.value)]" }
            return
                ([challenge.scheme.isEmpty ? "-" : challenge.scheme] + [challenge.token].compactMap { $0 } + parameters)
                .joined(separator: " ")
        }
    }

    private func fields(_ values: [String]) -> HTTPFields {
        var fields = HTTPFields()
        for value in values { fields.append("www-AUTHENTICATE", value) }
        return fields
    }

    private func isRefused(_ values: [String]) -> Bool {
        HTTPResponse(status: 401, fields: fields(values)).refusesToken
    }

    @Test(
        "What the grammar allows",
        arguments: [
            // Empty elements of a list, and any white space around what separates (RFC 9110 §5.6.1, §5.6.3).
            (#",, Bearer ,, realm="a" ,, error="invalid_token",,"#, ["Bearer error=[invalid_token] realm=[a]"]),
            ("Bearer\trealm = \t\"a\"\t,\terror\t=\tinvalid_token", ["Bearer error=[invalid_token] realm=[a]"]),
            (#"Bearer, error="invalid_token""#, ["Bearer error=[invalid_token]"]),
            (#"Bearer,Basic realm="a""#, ["Bearer", "Basic realm=[a]"]),
            // Commas, blanks, equals signs and whole challenges inside quotes, and escapes (§5.6.4).
            (
                #"Bearer realm="a, b=c, Basic realm=\"d\"", error="x\\y\,z""#,
                [#"Bearer error=[x\y,z] realm=[a, b=c, Basic realm="d"]"#]
            ),
            (#"Basic realm="Bearer error=\"invalid_token\"""#, [#"Basic realm=[Bearer error="invalid_token"]"#]),
            (#"Bearer realm="", error="invalid_token""#, ["Bearer error=[invalid_token] realm=[]"]),
            ("Bearer realm=\"caf\u{E9} \u{1F512}\"", ["Bearer realm=[caf\u{E9} \u{1F512}]"]),
            // A token in the place of parameters, between others (§11.2).
            (
                #"Negotiate a87421000492aa874209af8bc028==, Bearer realm="a""#,
                ["Negotiate a87421000492aa874209af8bc028==", "Bearer realm=[a]"]
            ),
            (
                #"Bearer realm="a", NTLM TlRM+/~-._=, Digest qop="auth,auth-int", nonce="n""#,
                ["Bearer realm=[a]", "NTLM TlRM+/~-._=", "Digest nonce=[n] qop=[auth,auth-int]"]
            ),
            // Names in any case, and characters that a name may have (§5.6.2).
            (
                #"bEaReR ERROR="invalid_token", x*=UTF-8''a%20b, a!#$%&'^_`|~=1"#,
                ["bEaReR a!#$%&'^_`|~=[1] error=[invalid_token] x*=[UTF-8''a%20b]"]
            ),
        ])
    func legal(value: String, expected: [String]) {
        #expect(read([value]) == expected)
    }

    @Test(
        "What it does not allow, and servers send",
        arguments: [
            // No comma between parameters, or between challenges.
            (
                #"Bearer realm="a" error="invalid_token" scope="b c""#,
                ["Bearer error=[invalid_token] realm=[a] scope=[b c]"]
            ),
            (#"Basic realm="a" Bearer error="invalid_token""#, ["Basic realm=[a]", "Bearer error=[invalid_token]"]),
            (#"Bearer realm="a"error="invalid_token""#, ["Bearer error=[invalid_token] realm=[a]"]),
            // A quotation mark that is never closed, or closed too early.
            (#"Bearer error="invalid_token"#, ["Bearer error=[invalid_token]"]),
            (#"Basic realm="a, Bearer error="invalid_token""#, ["Basic realm=[a, Bearer error=]", "invalid_token"]),
            (#"Bearer error="invalid_token\"#, [#"Bearer error=[invalid_token\]"#]),
            (#"Bearer error="a" b", Basic realm="c""#, ["Bearer error=[a]", "b", "Basic realm=[c]"]),
            // Values that are missing, doubled, or none.
            ("Bearer error=", ["Bearer error="]), ("Bearer error=, realm=a", ["Bearer error=", "- realm=[a]"]),
            ("Bearer error==invalid_token", ["Bearer error=[=invalid_token]"]),
            (#"Bearer error="one", ERROR="two", Error=three"#, ["Bearer error=[one]"]),
            // Lists without a scheme, and nothing at all.
            (#"error="invalid_token""#, ["- error=[invalid_token]"]),
            ("Bearer=realm", ["- bearer=[realm]"]),
            ("", []), (" , \t,", []), ("\"", []), ("=", []), ("\"Bearer\"", []), (";", []),
            (#"[Bearer], (Basic) realm="a", Digest realm="b""#, ["Digest realm=[b]"]),
        ])
    func tolerated(value: String, expected: [String]) {
        #expect(read([value]) == expected)
    }

    @Test("Several fields are read in their order, each by itself: what one leaves open does not swallow the next")
    func severalFields() {
        #expect(
            read([#"Basic realm="a, b""#, "", #"Bearer error="invalid_token"#, "Negotiate", #"DPoP algs="ES256""#])
                == ["Basic realm=[a, b]", "Bearer error=[invalid_token]", "Negotiate", "DPoP algs=[ES256]"])
    }

    @Test(
        "What counts as a refused token",
        arguments: [
            ([#"Bearer, error="invalid_token""#], true),
            ([#"Basic realm="a" Bearer error="invalid_token""#], true),
            ([#"Negotiate abc==, BEARER Error = "invalid_token""#], true),
            ([#"Bearer error="invalid_token"#], true),
            (["Basic realm=\"a\"", "", "bearer"], true),
            ([#"Basic realm="a", Bearer realm="b", error="insufficient_scope", Bearer error="invalid_token""#], true),
            // Codes are compared as they are written (RFC 6749 §5.2).
            ([#"Bearer error="Invalid_Token""#], false),
            ([#"Bearer error="invalid_request", error="invalid_token""#], false),
            ([#"Basic realm="Bearer error=\"invalid_token\"""#], false),
            ([#"Basic realm="a, Bearer error=invalid_token"#], false),
            ([#"Bearers error="invalid_token", Bearer2 error="invalid_token""#], false),
            (["Negotiate Bearer"], false),
            (["Bearer=realm"], false),
            // Nothing that could be read is no challenge, as with servers that send none.
            (["\"Bearer\""], true), ([""], true),
        ] as [([String], Bool)])
    func refusal(values: [String], isRefused expected: Bool) {
        #expect(isRefused(values) == expected)
    }

    @Test("A scope that is wanted is found behind other challenges, and nowhere else")
    func wantedScope() {
        let wanted = HTTPResponse(
            status: 403,
            fields: fields([#"Basic realm="scope=\"x\"", Bearer error="insufficient_scope", scope="a b""#]))
        #expect(wanted.wantedScope == Scope("a b"))
        let bound = HTTPResponse(status: 403, fields: fields([#"DPoP error="insufficient_scope", scope="a""#]))
        #expect(bound.wantedScope == Scope("a"))
        let other = HTTPResponse(status: 403, fields: fields([#"Basic error="insufficient_scope", scope="a""#]))
        #expect(other.wantedScope == nil)
        #expect(HTTPResponse(status: 403).wantedScope == nil)
    }

    @Test(
        "Long fields cost linear time",
        arguments: [
            "(", ",", "(,", "a,", "=,", "\"", "\\", " ", "\t", "a", "a ", "a=", "a=b", "a=b ", "a=b,", "a=\"\",", "a =",
            "a  ", "a=\"\\",
        ])
    func linearTime(piece: String) {
        let long = String(repeating: piece, count: 16_000 / piece.utf8.count)
        // They are read in well under a second; quadratic time would take minutes and hit the limit.
        let values = ["", "B ", "B x=\"", "B x=", "x=y, ", "B x y"].map { $0 + long }
        for _ in 0..<10 { #expect(read(values).count <= AuthenticateChallenge.maximumCount) }
    }

    @Test("The first 32 challenges count, and no field above 16 KiB")
    func limits() {
        let many = Array(repeating: "Negotiate", count: 31)
        #expect(isRefused(many + ["Bearer"]))
        #expect(!isRefused(many + ["Negotiate", "Bearer"]))
        let padding = String(repeating: "x", count: AuthenticateChallenge.maximumByteCount)
        #expect(read(["Bearer realm=\"\(padding)\"", "Basic realm=a"]) == ["Basic realm=[a]"])
        let fitting = padding.dropLast(#"Bearer realm="""#.utf8.count)
        #expect(isRefused(["Bearer realm=\"\(fitting)\"", "Basic realm=a"]))
    }
}
