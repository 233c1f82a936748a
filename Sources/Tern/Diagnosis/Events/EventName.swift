extension Event {
    /// All events. The names are stable.
    public enum Name: String, Sendable, Hashable, CaseIterable {
        /// A request was answered, or not: `step`, `method`, `origin`, `path`, `request`, and `status`, `response`, `bytes`
        /// and `seconds`, or a failure.
        case exchange = "http.exchange"
        /// A sign-in was begun: `account`, `redirect_uri`, `scope`.
        case signInBegan = "sign_in.began"
        /// The page is to be opened: `origin`, `path`, `request`.
        case pageOpened = "sign_in.page_opened"
        /// A callback came: `request`.
        case callbackReceived = "sign_in.callback_received"
        /// The callback is the answer of this sign-in: `checks`.
        case callbackAccepted = "sign_in.callback_accepted"
        /// An ID token was checked and is good: `checks`.
        case idTokenAccepted = "id_token.accepted"
        /// A sign-in has failed: `step`, `code`.
        case signInFailed = "sign_in.failed"
        /// Somebody is signed in, and that is stored: `account`.
        case signedIn = "account.signed_in"
        /// The tokens were renewed, and that is stored: `account`.
        case refreshed = "account.refreshed"
        /// Only a new sign-in helps: `account`, `step`, `code`.
        case signInNeeded = "account.sign_in_needed"
        /// The account is signed out, and that is stored: `account`.
        case signedOut = "account.signed_out"

        /// How much it matters.
        public var level: Level {
            switch self {
            case .exchange: .wire
            case .signInBegan, .pageOpened, .callbackReceived, .callbackAccepted, .idTokenAccepted: .detail
            case .signedIn, .refreshed, .signedOut: .milestone
            case .signInFailed, .signInNeeded: .failure
            }
        }

        /// What happened, in a few words.
        public var message: String {
            switch self {
            case .exchange: "a request was made"
            case .signInBegan: "a sign-in was begun"
            case .pageOpened: "the sign-in page is to be opened"
            case .callbackReceived: "a callback came"
            case .callbackAccepted: "the callback is the answer of this sign-in"
            case .idTokenAccepted: "the ID token is good"
            case .signInFailed: "the sign-in failed"
            case .signedIn: "an account is signed in"
            case .refreshed: "the tokens were renewed"
            case .signInNeeded: "only a new sign-in helps"
            case .signedOut: "an account is signed out"
            }
        }
    }

    /// All fields, in the order in which they are told. The names are stable.
    public enum FieldName: String, Sendable, Hashable, CaseIterable {
        /// The name of the account.
        case account
        /// The step of the round trip, as ``/TernProtocol/Step`` names it.
        case step
        /// The stable name of what went wrong.
        case code
        /// The method of a request.
        case method
        /// Scheme, host and port of an address.
        case origin
        /// The path of an address, without its query.
        case path
        /// The redirect URI of a sign-in.
        case redirectURI = "redirect_uri"
        /// What was asked for.
        case scope
        /// The parameters that were sent.
        case request
        /// The status of an answer.
        case status
        /// The members of an answer.
        case response
        /// The size of an answer's body, in bytes.
        case bytes
        /// How long it took, in seconds.
        case seconds
        /// What was checked and found good, each in a few words.
        case checks
    }

    /// A number for a dashboard.
    public struct Measurement: Sendable, Hashable {
        /// All metrics. The names are stable.
        public enum Metric: String, Sendable, Hashable, CaseIterable {
            /// How long a request took, in seconds, by `step` and `status` or `code`.
            case exchangeSeconds = "tern.http.exchange.seconds"
            /// Sign-ins that ended, by `outcome` (`success`, or the code of the failure).
            case signIns = "tern.sign_ins"
            /// Renewals that succeeded.
            case renewals = "tern.renewals"
            /// Sessions that need a new sign-in, by `code`.
            case signInsNeeded = "tern.sign_ins_needed"
            /// Sign-outs.
            case signOuts = "tern.sign_outs"
        }

        /// What is measured.
        public let metric: Metric
        /// Its value: seconds, or 1 for something to count.
        public let value: Double
        /// What it is counted by; few values each.
        public let dimensions: [String: String]
    }

    /// What an event adds to the metrics.
    public var measurements: [Measurement] {
        func count(_ metric: Measurement.Metric, _ dimensions: [String: String] = [:]) -> [Measurement] {
            [Measurement(metric: metric, value: 1, dimensions: dimensions)]
        }
        switch name {
        case .exchange:
            guard case .seconds(let seconds) = self[.seconds] else { return [] }
            var dimensions = ["step": text(.step) ?? ""]
            if case .number(let status) = self[.status] { dimensions["status"] = String(status) }
            if let failure { dimensions["code"] = failure.code }
            return [Measurement(metric: .exchangeSeconds, value: seconds, dimensions: dimensions)]
        case .signedIn: return count(.signIns, ["outcome": "success"])
        case .signInFailed: return count(.signIns, ["outcome": text(.code) ?? ""])
        case .refreshed: return count(.renewals)
        case .signInNeeded: return count(.signInsNeeded, ["code": text(.code) ?? ""])
        case .signedOut: return count(.signOuts)
        case .signInBegan, .pageOpened, .callbackReceived, .callbackAccepted, .idTokenAccepted: return []
        }
    }
}
