internal import TernJOSE
public import TernProtocol

/// The association file of a host, or what came in its place.
public enum AssociationDocument: Sendable, Hashable {
    /// The bytes of a file that is not served yet.
    case file([UInt8])
    /// What a server answered, without redirects being followed, and the address that was asked.
    case response(HTTPResponse, URI)
    /// Why no answer came, and the address that was asked.
    case unreachable(TernError, URI)
}

/// The checks of `tern doctor` about the association file of an https redirect.
public enum AssociationChecks {
    /// Looks at an association file: whether it is served as Apple's systems want it, and names the app and the
    /// redirect.
    ///
    /// - Parameters:
    ///   - document: the file.
    ///   - redirect: the https redirect whose host it belongs to.
    ///   - app: the app that receives the redirect; without it no app identifier can be compared.
    public static func findings(_ document: AssociationDocument, redirect: URI, app: AppleApp?) -> [Finding] {
        guard redirect.isSecure else {
            return [
                Finding(
                    .note, "association_needed", "This redirect needs no association file",
                    "Only https redirects belong to a host that names apps.")
            ]
        }
        switch document {
        case .file(let bytes): return content(bytes, redirect, app)
        case .unreachable(let error, let address):
            return place(address, redirect) + [
                .refusal(error, "association_reachable", "The association file cannot be reached")
            ]
        case .response(let response, let address):
            var findings = place(address, redirect) + AssociationDelivery.findings(response, address)
            if response.status == 200 { findings += content(response.body, redirect, app) }
            findings.append(cache(address))
            return findings
        }
    }

    private static func place(_ address: URI, _ redirect: URI) -> [Finding] {
        guard let host = redirect.host, let wanted = AssociationFile.address(host: host) else { return [] }
        let asked = address.withoutFragment
        if asked.equalsIgnoringASCIICase(wanted.text) {
            return [Finding(.passed, "association_address", "The association file is asked for where systems ask")]
        }
        return [
            Finding(
                .failed, "association_address", "Systems ask for the association file elsewhere",
                address.host?.equalsIgnoringASCIICase(host) == true
                    ? "They ask under /.well-known alone." : "They ask the host of the redirect itself.",
                fix: "serve the file at \(Shown.address(wanted.text))",
                comparison: Shown.comparison("asked", asked, "systems ask", wanted.text))
        ]
    }

    /// Devices do not ask the host itself, which explains much waiting.
    private static func cache(_ address: URI) -> Finding {
        let host = address.host.map(Shown.text) ?? "HOST"
        return Finding(
            .note, "association_cache", "Devices get the file from a cache of Apple's",
            "A change can take a day to arrive there and longer on a device. What the cache has: "
                + "https://app-site-association.cdn-apple.com/a/v1/\(host)")
    }

    private static func content(_ bytes: [UInt8], _ redirect: URI, _ app: AppleApp?) -> [Finding] {
        if isSigned(bytes) {
            return [
                Finding(
                    .unchecked, "association_json", "The association file is signed",
                    "That is a form for iOS 8, and what is in it was not looked at.", fix: "serve the JSON itself")
            ]
        }
        var findings: [Finding] = []
        if bytes.count > AssociationFile.maximumByteCount {
            findings.append(
                Finding(
                    .failed, "association_size", "The association file is too large",
                    "It has \(bytes.count) bytes, and systems take \(AssociationFile.maximumByteCount).",
                    fix: "use patterns in the place of single paths"))
        }
        do throws(JSONError) {
            let file = try AssociationFile(parsing: bytes)
            findings.append(Finding(.passed, "association_json", "The association file is a JSON object"))
            for problem in file.problems {
                findings.append(
                    Finding(
                        .warning, "association_form", "A part of the association file cannot be read",
                        Shown.text(problem) + ".", fix: "correct this part"))
            }
            return findings + AssociationMembership.findings(file, redirect, app)
        } catch {
            let isMarkup = bytes.first { $0 > 0x20 } == UInt8(ascii: "<")
            findings.append(
                Finding(
                    .failed, "association_json", "The association file is no JSON object",
                    isMarkup ? "It looks like a page of the website." : "\(error).",
                    fix: isMarkup
                        ? "let the server answer this address with the file and not with a page"
                        : "correct the file; a JSON checker shows the place"))
            return findings
        }
    }

    /// Whether the bytes begin as a signed message does, which is a sequence of ASN.1 with a long length, or as its
    /// text form does.
    private static func isSigned(_ bytes: [UInt8]) -> Bool {
        bytes.count > 16 && bytes[0] == 0x30 && bytes[1] >= 0x80 && bytes[1] <= 0x84
            || bytes.starts(with: "-----BEGIN ".utf8)
    }
}
