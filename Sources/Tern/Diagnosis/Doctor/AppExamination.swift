internal import TernProtocol

/// Fetches what has to be fetched to judge an app's own files.
enum AppExamination {
    static func findings(_ examination: Examination) async -> [Finding] {
        let setUp = examination.setUp
        let own = setUp.app?.findings ?? []
        guard setUp.app != nil || setUp.associationFile != nil else { return own }
        guard let redirect = setUp.redirectURI.flatMap({ URI($0) }), redirect.isSecure, let host = redirect.host else {
            guard setUp.associationFile != nil else { return own }
            return own + [
                Finding(
                    .unchecked, "association_file", "The association file was not looked at",
                    "It is about an https redirect, and none is given.", fix: "give the redirect (--redirect https://…)"
                )
            ]
        }
        guard let document = await document(host: host, examination) else { return own }
        return own + AssociationChecks.findings(document, redirect: redirect, app: setUp.app)
    }

    private static func document(host: String, _ examination: Examination) async -> AssociationDocument? {
        let address: URI
        switch examination.setUp.associationFile {
        case .file(let bytes): return .file(bytes)
        case .address(let given): address = given
        case nil:
            guard let place = AssociationFile.address(host: host) else { return nil }
            address = place
        }
        switch await examination.visitor.visit(HTTPRequest(.get, address), step: .discovery) {
        case .answer(let response): return .response(response, address)
        case .failure(let error): return .unreachable(error, address)
        case .notAllowed: return nil
        }
    }
}
