extension Cause {
    /// All that is known, by topic.
    public static let all: [Cause] = topics.flatMap(\.causes)

    /// The entries in the order of a round trip, under the headings of the trouble-shooting page.
    public static let topics: [(title: String, causes: [Cause])] = [
        ("The server cannot be reached", network),
        ("The server's metadata", metadata),
        ("The redirect URI", redirect),
        ("The page and the way back", callback),
        ("The server says no to the request", authorization),
        ("The client is refused", client),
        ("The code or the refresh token is refused", grant),
        ("The answer of the token endpoint", answers),
        ("The ID token is refused", idToken),
        ("Other signed tokens are refused", signedTokens),
        ("Calls of an API", api),
        ("The store", store),
        ("OAuth 1.0a", oauth1),
        ("Registration of the client", registration),
    ]

    /// An entry by its name.
    public static func named(_ id: String) -> Cause? { all.first { $0.id == id } }
}
