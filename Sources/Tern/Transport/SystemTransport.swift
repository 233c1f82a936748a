#if canImport(Darwin)
    /// The transport of the platform that the program runs on: `URLSession` on Apple's systems, libcurl elsewhere.
    public typealias SystemTransport = URLSessionTransport
#elseif TERN_CURL
    /// The transport of the platform that the program runs on: `URLSession` on Apple's systems, libcurl elsewhere.
    public typealias SystemTransport = CurlTransport
#endif
