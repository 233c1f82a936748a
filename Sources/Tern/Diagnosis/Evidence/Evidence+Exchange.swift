internal import TernCrypto
internal import TernProtocol

extension EndpointCaller {
    /// What speaks for one cause of a refusal or another: who asked, how, and whether the clocks agree.
    func evidence(_ request: HTTPRequest, _ response: HTTPResponse?, _ error: TernError) -> Evidence {
        var clues: Set<Clue> = []
        if let provider = request.url.host.flatMap(Clue.Provider.init(host:)) { clues.insert(.provider(provider)) }
        if case .none = authentication {
            clues.insert(.publicClient)
        } else {
            clues.insert(.authenticated(authentication.methodName))
        }
        if let secret = authentication.secret?.exposedText, PercentCodec.encode(secret) != secret {
            clues.insert(.secretNeedsEncoding)
        }
        if let date = response?.fields["Date"].flatMap({ HTTPDate($0)?.date }),
            abs(date.secondsSince1970 - clock.now.secondsSince1970) > ServerClock.tolerance
        {
            clues.insert(.clockDiffers)
        }
        var evidence = Evidence(clues)
        evidence.formUnion(Self.redirects(sent: request.form["redirect_uri"], in: error))
        return evidence
    }

    /// Servers that refuse a redirect URI may say which ones they know.
    static func redirects(sent: String?, in error: TernError) -> Evidence {
        guard let sent, let words = error.serverError?.detail else { return Evidence() }
        let named = words.split { " \"'<>(),;[]".contains($0) }.map { $0.hasSuffix(".") ? $0.dropLast() : $0 }
            .map(String.init).filter { $0.contains(":/") && $0 != sent && (try? RedirectURI($0)) != nil }
        // The one that looks most like it is the one that was meant.
        let comparisons = named.map { Comparison("sent", sent, "registered", $0) }
        guard let closest = comparisons.max(by: { $0.likeness < $1.likeness }), let difference = closest.difference
        else { return Evidence() }
        return Evidence([.redirectDiffers(difference)], comparisons: [closest])
    }

    /// Adds whether the server's metadata name the client's way to authenticate.
    func explaining(_ error: TernError, at metadata: ServerMetadata) -> TernError {
        guard let known = metadata.list("token_endpoint_auth_methods_supported"),
            !known.contains(authentication.methodName)
        else { return error }
        return error.with(Evidence([.authenticationNotAdvertised]))
    }
}

extension Comparison {
    /// How much two texts look alike: what they share at the beginning and at the end.
    fileprivate var likeness: Int { commonLength + zip(first.reversed(), second.reversed()).prefix { $0 == $1 }.count }
}
