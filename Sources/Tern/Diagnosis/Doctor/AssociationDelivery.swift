internal import TernProtocol

/// What is looked at in the answer that carries an association file, before what is in it.
enum AssociationDelivery {
    static func findings(_ response: HTTPResponse, _ address: URI) -> [Finding] {
        switch response.status {
        case 200: [Finding(.passed, "association_status", "The association file is served"), mediaType(response)]
        case 300..<400: [redirected(response, address)]
        default: [refused(response.status)]
        }
    }

    private static func redirected(_ response: HTTPResponse, _ address: URI) -> Finding {
        let place = response.fields["Location"].map { Shown.address(address.resolving($0)?.text ?? $0) }
        return Finding(
            .failed, "association_redirected", "The address of the association file leads elsewhere",
            "Status \(response.status)\(place.map { " to \($0)" } ?? ""); systems do not follow.",
            fix: "answer with the file itself, at the host of the redirect",
            comparison: response.fields["Location"].flatMap { address.resolving($0) }.map {
                Shown.comparison("asked", address.withoutQueryAndFragment, "leads to", $0.withoutQueryAndFragment)
            })
    }

    private static func refused(_ status: Int) -> Finding {
        let detail: String
        let fix: String
        switch status {
        case 401, 403:
            detail = "Whoever asks without signing in is sent away, and so are systems."
            fix = "let everybody read this address, Apple's cache included"
        case 404, 410:
            detail = "There is no such file."
            fix = "serve the file, whose name has no ending"
        default:
            detail = "The server has trouble of its own, or expects another request."
            fix = "let the server answer this address with status 200"
        }
        return Finding(
            .failed, "association_status", "The association file is not served", "Status \(status). \(detail)", fix: fix
        )
    }

    private static func mediaType(_ response: HTTPResponse) -> Finding {
        if response.mediaType == "application/json" {
            return Finding(.passed, "association_media_type", "The association file is served as JSON")
        }
        return Finding(
            .warning, "association_media_type", "The association file is not served as JSON",
            response.mediaType.map { "Its media type is \(Shown.text($0))." } ?? "Its media type is not told.",
            fix: "serve it with Content-Type: application/json")
    }
}
