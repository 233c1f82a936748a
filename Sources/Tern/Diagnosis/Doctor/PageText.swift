internal import TernProtocol

/// What a page or an answer of a server says, for people: its error where it is JSON, or else its words without the markup.
enum PageText {
    /// The longest text that is told, in characters.
    private static let maximumCount = 240

    /// The words, cut to what one reads in a line; `nil` where there are none.
    static func words(of response: HTTPResponse) -> String? {
        let text = whole(of: response)
        guard !text.isEmpty else { return nil }
        return Shown.words(text.count > maximumCount ? text.prefix(maximumCount) + "…" : text)
    }

    /// All of the words, as the server wrote them; empty where there are none.
    static func whole(of response: HTTPResponse) -> String {
        if let error = ServerWords.error(in: response) {
            return [error.code, error.detail].compactMap(\.self).joined(separator: ": ")
        }
        let text = String(decoding: response.body.prefix(65_536), as: UTF8.self)
        let words = isMarkup(response, text) ? withoutMarkup(text) : text
        return words.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    private static func isMarkup(_ response: HTTPResponse, _ text: String) -> Bool {
        response.mediaType?.contains("html") ?? false || text.first { !$0.isWhitespace } == "<"
    }

    /// The text between the tags, without that of styles and scripts.
    private static func withoutMarkup(_ text: String) -> String {
        var words = ""
        var rest = text[...]
        while let start = rest.firstIndex(of: "<") {
            words += decoded(rest[..<start]) + " "
            let tag = rest[rest.index(after: start)...]
            let name = tag.prefix { $0.isLetter || $0 == "!" || $0 == "-" }.lowercased()
            let end: String.Index?
            switch name {
            case "style", "script", "svg", "template", "head": end = endOfElement(name, in: tag)
            default: end = tag.firstIndex(of: ">").map { tag.index(after: $0) }
            }
            guard let end else { return words }
            rest = rest[end...]
        }
        return words + decoded(rest)
    }

    private static func endOfElement(_ name: String, in text: Substring) -> String.Index? {
        let closing = "</" + name
        var rest = text
        while let slash = rest.firstIndex(of: "<") {
            let candidate = rest[slash...]
            if candidate.prefix(closing.count).lowercased() == closing {
                return candidate.firstIndex(of: ">").map { candidate.index(after: $0) }
            }
            rest = candidate.dropFirst()
        }
        return nil
    }

    /// The few character references that pages of errors use.
    private static func decoded(_ text: Substring) -> String {
        guard text.contains("&") else { return String(text) }
        let names = [
            "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "#39": "'", "#x27": "'",
            "#34": "\"",
            "#x2F": "/", "#x2f": "/", "#47": "/",
        ]
        var words = ""
        var rest = text
        while let mark = rest.firstIndex(of: "&") {
            words += rest[..<mark]
            let reference = rest[rest.index(after: mark)...]
            if let end = reference.prefix(8).firstIndex(of: ";"), let character = names[String(reference[..<end])] {
                words += character
                rest = reference[reference.index(after: end)...]
            } else {
                words += "&"
                rest = reference
            }
        }
        return words + rest
    }
}

/// The error that a server's answer carries as a JSON object.
enum ServerWords {
    static func error(in response: HTTPResponse) -> ServerError? {
        guard let object = (try? AnswerBody.object(response.body)) ?? nil, let code = object["error"]?.string,
            !code.isEmpty
        else { return nil }
        return ServerError(code: code, detail: object["error_description"]?.string, status: response.status)
    }
}
