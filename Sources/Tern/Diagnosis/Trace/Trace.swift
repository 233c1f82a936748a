public import TernJOSE
public import TernProtocol

/// What happened in a round trip, step by step, fit to be shown to anybody: instead of a secret it holds a short tag, the
/// same wherever the secret occurs, from which nobody can find the secret again.
public struct Trace: Sendable, Hashable {
    /// Who takes part.
    public enum Party: String, Sendable, Hashable, CaseIterable {
        /// The person.
        case user
        /// The application.
        case app
        /// The browser that shows the page.
        case browser
        /// The authorization server.
        case authorizationServer = "authorization_server"
        /// The API.
        case api
    }

    /// A named value that went along, such as a parameter; what is secret is a tag, such as `‹code 3f9a›`.
    public struct Fact: Sendable, Hashable {
        /// Its name, as the protocol has it.
        public let name: String
        /// Its value or tag; empty where only its presence is told.
        public let value: String

        /// Makes a fact.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// What went wrong at an entry.
    public struct Failure: Sendable, Hashable {
        /// The stable name of the reason.
        public let code: String
        /// One or two sentences about what happened.
        public let whatHappened: String
        /// Likely causes, the likeliest first.
        public let likelyCauses: [String]
        /// What to check or change, in order.
        public let whatToDo: [String]
        /// Texts that should be the same and are not.
        public let comparisons: [Comparison]

        /// Takes what may be told of an error.
        public init(_ error: TernError) {
            let explanation = error.explanation
            self.init(
                code: error.code, whatHappened: explanation.whatHappened, likelyCauses: explanation.likelyCauses,
                whatToDo: explanation.whatToDo, comparisons: explanation.comparisons)
        }

        /// Makes a failure of its parts.
        public init(
            code: String, whatHappened: String, likelyCauses: [String] = [], whatToDo: [String] = [],
            comparisons: [Comparison] = []
        ) {
            self.code = code
            self.whatHappened = whatHappened
            self.likelyCauses = likelyCauses
            self.whatToDo = whatToDo
            self.comparisons = comparisons
        }
    }

    /// One arrow of the picture, or, where sender and receiver are the same, a decision that one of them took.
    public struct Entry: Sendable, Hashable {
        /// When it began, since the start of the trace.
        public var offset: Duration
        /// How long it took, where that is known.
        public var duration: Duration?
        /// Who sent it.
        public var from: Party
        /// Who got it.
        public var to: Party
        /// What it is, such as "POST /token" or "302 to the redirect URI".
        public var title: String
        /// Where it went: scheme, host and port.
        public var origin: String?
        /// The status of an HTTP answer.
        public var status: Int?
        /// How many bytes the body has.
        public var byteCount: Int?
        /// What went along.
        public var facts: [Fact]
        /// What was checked here, each in a few words.
        public var checks: [String]
        /// What went wrong here.
        public var failure: Failure?

        /// Makes an entry.
        public init(
            at offset: Duration, from: Party, to: Party, _ title: String, origin: String? = nil,
            facts: [Fact] = [], checks: [String] = []
        ) {
            self.offset = offset
            self.from = from
            self.to = to
            self.title = title
            self.origin = origin
            self.facts = facts
            self.checks = checks
        }
    }

    /// What the trace is of, in a few words.
    public let title: String
    /// When it began.
    public let startedAt: NumericDate
    /// What happened, in order.
    public let entries: [Entry]

    /// Makes a trace.
    public init(title: String, startedAt: NumericDate, entries: [Entry]) {
        self.title = title
        self.startedAt = startedAt
        self.entries = entries
    }
}
