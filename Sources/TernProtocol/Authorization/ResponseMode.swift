extension AuthorizationRequest {
    /// How the answer comes back (OAuth 2.0 Multiple Response Types §2.1, OAuth 2.0 Form Post Response Mode, JWT Secured
    /// Authorization Response Mode for OAuth 2.0 §2.3).
    public enum ResponseMode: String, Sendable, Hashable, Codable, CaseIterable {
        /// In the query of the redirect URI.
        case query
        /// In its fragment.
        case fragment
        /// In a form that the browser posts to it.
        case formPost = "form_post"
        /// As a signed JWT in the query.
        case queryJWT = "query.jwt"
        /// As a signed JWT in the fragment.
        case fragmentJWT = "fragment.jwt"
        /// As a signed JWT in a form that the browser posts.
        case formPostJWT = "form_post.jwt"
        /// As a signed JWT where the response type usually has its answer: in the query for a code, otherwise in the
        /// fragment.
        case jwt

        /// Whether the answer is a signed JWT.
        public var isSigned: Bool { carrier != self }

        /// The mode that says where the answer is and not whether it is signed; ``jwt`` itself stands for nowhere.
        package var carrier: ResponseMode {
            switch self {
            case .query, .queryJWT: .query
            case .fragment, .fragmentJWT: .fragment
            case .formPost, .formPostJWT: .formPost
            case .jwt: .query
            }
        }

        /// The mode with the place that ``jwt`` leaves open.
        public func resolved(for type: ResponseType) -> ResponseMode {
            guard self == .jwt else { return self }
            return type.standardMode == .query ? .queryJWT : .fragmentJWT
        }
    }
}

extension RedirectURI {
    /// A form that was posted to the redirect URI, as an address that can be handed to whatever takes callbacks: the
    /// parameters are its query, and its fragment says that they were posted, so that a posted answer and one in the query
    /// are told apart.
    ///
    /// - Returns: `nil` when it would be longer than ``URI/maximumByteCount``.
    public func callback(posting form: FormParameters) -> URI? {
        URI(uri.withoutQueryAndFragment + "?" + form.encoded + "#" + URI.postedMark)
    }
}

extension URI {
    fileprivate static let postedMark = "form_post"

    /// Whether ``RedirectURI/callback(posting:)`` made it.
    var wasPosted: Bool { encodedFragment == Self.postedMark }
}
