/// Where a redirect leads, and what goes there (RFC 9110 §15.4), for requests of every HTTP stack.
package struct Redirect: Sendable, Hashable {
    /// The address that it names.
    package let url: URI
    /// The method of the request to it.
    package let method: HTTPMethod
    /// Whether the request to it has the body of the one before.
    package let keepsBody: Bool
    /// Whether it leads to the same origin.
    package let staysAtOrigin: Bool

    /// Reads an answer; `nil` when it is no redirect to follow.
    ///
    /// - Throws: ``TernError``: `malformedResponse` for a `Location` that is no address of HTTP; `insecureEndpoint` for one
    ///   that leads from https to http, or to plain http beyond loopback.
    package init?(of response: HTTPResponse, to method: HTTPMethod, _ origin: URI) throws(TernError) {
        guard [301, 302, 303, 307, 308].contains(response.status), let location = response.fields["Location"],
            !location.isEmpty
        else { return nil }
        guard let target = origin.resolving(location), target.host?.isEmpty == false, !target.hasUserInformation else {
            throw TernError(.malformedResponse(field: "Location"), at: .resourceRequest)
        }
        guard Self.mayLead(from: origin, to: target) else {
            throw TernError(.insecureEndpoint(field: "Location"), at: .resourceRequest)
        }
        let becomesGet = response.status == 303 || [301, 302].contains(response.status) && method == .post
        url = target
        self.method = becomesGet && method != .head ? .get : method
        keepsBody = !becomesGet
        staysAtOrigin = target.origin == origin.origin
    }

    /// How many redirects are followed for one request.
    package static let maximumCount = 5

    /// Whether a redirect may be followed: never from https to http, and to plain http on loopback alone.
    package static func mayLead(from one: URI, to other: URI) -> Bool {
        other.isSecure || other.normalizedScheme == "http" && other.isLoopback && !one.isSecure
    }

    /// Whether a field of the request goes along. Those about the body go with the body.
    package func carries(_ field: String) -> Bool {
        if !keepsBody, Self.isAboutBody(field) { return false }
        return staysAtOrigin || Self.carriesElsewhere(field)
    }

    /// Whether a field goes along to another origin: only what cannot hold a credential does. A list of those that can
    /// would never be complete, and so would one that goes by how names begin.
    package static func carriesElsewhere(_ field: String) -> Bool { harmless.contains(field.asciiLowercased) }

    private static func isAboutBody(_ field: String) -> Bool {
        let name = field.asciiLowercased
        return name.hasPrefix("content-") || aboutBody.contains(name)
    }

    private static let harmless: Set<String> = [
        "accept", "accept-charset", "accept-encoding", "accept-language", "cache-control", "content-digest",
        "content-disposition", "content-encoding", "content-language", "content-location", "content-type", "digest",
        "range", "user-agent",
    ]

    private static let aboutBody: Set<String> = ["digest", "expect", "repr-digest", "trailer", "transfer-encoding"]
}

extension HTTPRequest {
    /// The request that a redirect asks for (RFC 9110 §15.4); `nil` when the answer is no redirect to follow.
    ///
    /// 303 makes every method but HEAD a GET without a body, 301 and 302 do that to POST; 307 and 308 change nothing but
    /// the address. To another origin go only fields that cannot hold a credential: `Accept`, `Accept-Charset`,
    /// `Accept-Encoding`, `Accept-Language`, `Cache-Control`, `Digest`, `Range`, `User-Agent`, and `Content-Digest`,
    /// `-Disposition`, `-Encoding`, `-Language`, `-Location` and `-Type`.
    ///
    /// - Throws: ``TernError``: `malformedResponse` for a `Location` that is no address of HTTP; `insecureEndpoint` for one
    ///   that leads from https to http, or to plain http beyond loopback.
    public func redirected(by response: HTTPResponse) throws(TernError) -> HTTPRequest? {
        guard let redirect = try Redirect(of: response, to: method, url) else { return nil }
        return HTTPRequest(
            redirect.method, redirect.url, fields: fields.filtered(redirect.carries),
            body: redirect.keepsBody ? body : .none)
    }
}
