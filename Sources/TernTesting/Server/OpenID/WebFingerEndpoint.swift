internal import TernJOSE
internal import TernProtocol

extension AuthorizationServer {
    /// WebFinger (RFC 7033): says of its own users and of its own addresses that they log in here (OpenID Connect Discovery 1.0
    /// §2). A user is known as `acct:` with user name and host, and by an e-mail address in the claim `email`.
    func finger(_ request: HTTPRequest) -> HTTPResponse {
        guard let parameters = request.queryParameters, parameters.values(of: "resource").count == 1,
            let resource = parameters.value("resource"), let uri = URI(resource)
        else { return HTTPResponse(status: 400) }
        guard knows(uri) else { return HTTPResponse(status: 404) }
        let relations = parameters.values(of: "rel")
        let isWanted = relations.isEmpty || relations.contains(WebFingerRequest.issuerRelation)
        let link: JSON = ["rel": .string(WebFingerRequest.issuerRelation), "href": .string(issuer.text)]
        let document: JSONObject = ["subject": .string(resource), "links": .array(isWanted ? [link] : [])]
        var response = HTTPResponse.json(document, fields: ["Access-Control-Allow-Origin": "*"])
        response.fields["Content-Type"] = "application/jrd+json"
        return response
    }

    private func knows(_ resource: URI) -> Bool {
        guard resource.normalizedScheme == "acct" else { return resource.origin == issuer.origin }
        let name = resource.encodedPath.lowercased()
        let host = (issuer.host ?? "") + (issuer.port.map { ":\($0)" } ?? "")
        return users.contains { user in
            name == "\(user.username)@\(host)".lowercased() || name == user.claims["email"]?.string?.lowercased()
        }
    }
}
