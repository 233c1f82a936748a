public import TernJOSE
public import TernProtocol

/// One thing that goes wrong on purpose: where, when, and what.
///
/// ```swift
/// server.faults = [
///     Fault(at: .token, on: .first(2), .status(503)),
///     Fault(at: .token, .changeToken(TokenChange(.claim("iss", .append("1"))))),
/// ]
/// ```
public struct Fault: Sendable, Hashable {
    /// Which of the requests that fit are concerned, counted from 1 for each fault by itself.
    public enum Occurrence: Sendable, Hashable {
        /// All.
        case every
        /// The one with this number.
        case nth(Int)
        /// The first so many.
        case first(Int)
        /// This one and all after it.
        case from(Int)

        func includes(_ number: Int) -> Bool {
            switch self {
            case .every: true
            case .nth(let wanted): number == wanted
            case .first(let count): number <= count
            case .from(let start): number >= start
            }
        }
    }

    /// The endpoint; `nil` for all.
    public var endpoint: Endpoint?
    /// Parameters of query or form that a request must have to be concerned, for example `grant_type`.
    public var parameters: [String: String]
    /// Which of the requests that fit.
    public var occurrence: Occurrence
    /// What happens, in this order.
    public var actions: [FaultAction]

    /// Makes a fault.
    public init(
        at endpoint: Endpoint?, where parameters: [String: String] = [:], on occurrence: Occurrence = .every,
        _ actions: FaultAction...
    ) {
        self.endpoint = endpoint
        self.parameters = parameters
        self.occurrence = occurrence
        self.actions = actions
    }

    func concerns(_ request: HTTPRequest, at endpoint: Endpoint) -> Bool {
        guard self.endpoint == nil || self.endpoint == endpoint else { return false }
        guard !parameters.isEmpty else { return true }
        let form = request.formParameters ?? [:]
        let query = request.queryParameters ?? [:]
        return parameters.allSatisfy { form[$0.key] == $0.value || query[$0.key] == $0.value }
    }
}

/// What a fault does.
///
/// The first group happens in the place of the server's work, the second to its answer, the third to the connection.
public enum FaultAction: Sendable, Hashable {
    /// The server does not see the request; this is the answer.
    case replace(HTTPResponse)
    /// The server does not see the request; the answer is a redirect there.
    case redirect(to: String, status: Int = 302)
    /// The server does not see the request; the answer is the one before at the same endpoint, as a bad cache gives it.
    case repeatLastAnswer
    /// The server sees the request twice and the second answer counts, as when a proxy sends it again.
    case handleTwice
    /// The server changes its keys before it sees the request.
    case rotateKeys(keepingPrevious: Bool = true)

    /// The answer's status.
    case status(Int)
    /// A header field of the answer; `nil` takes it out.
    case header(String, String?)
    /// The answer's body.
    case body([UInt8])
    /// A member of the JSON body. The path goes from object to object; a number is a place in an array.
    case member([String], Edit)
    /// A parameter of the query or fragment in the `Location` of a redirect.
    case parameter(String, Edit)
    /// The ID token in the JSON body (`id_token`) or in the `Location`, the signed answer there, or the body itself where it
    /// is a JWT.
    case changeToken(TokenChange)

    /// The answer comes later by so much.
    case delay(Duration)
    /// The connection breaks before the server sees the request.
    case dropRequest
    /// The server does its work, and the connection breaks before the answer.
    case dropAnswer
    /// The connection breaks after so many bytes of the body.
    case truncate(Int)
    /// How a connection ends that one of the three before breaks; ``Delivery/End/closed`` where nothing is said.
    case connection(Delivery.End)
    /// The body comes in pieces of so many bytes, with a pause before each further one.
    case drip(bytes: Int, every: Duration)

    /// A member of the JSON body.
    public static func member(_ name: String, _ edit: Edit) -> FaultAction { .member([name], edit) }

    /// The answer's body as text.
    public static func text(_ body: String) -> FaultAction { .body(Array(body.utf8)) }
}

/// A change of one value.
public enum Edit: Sendable, Hashable {
    /// Another value, or a new one.
    case set(JSON)
    /// The value is not there.
    case remove
    /// The text with another one behind it; anything that is not a text becomes the text.
    case append(String)
    /// The number of seconds, moved.
    case move(Duration)
    /// The array with a further element in front; anything else becomes the one array.
    case insert(JSON)
    /// The value is there twice; for parameters alone.
    case double

    func applied(to value: JSON?) -> JSON? {
        switch self {
        case .set(let new): return new
        case .remove: return nil
        case .append(let end): return .string((value?.string ?? "") + end)
        case .move(let duration):
            return .date(NumericDate(value?.double ?? 0) + duration)
        case .insert(let element): return .array([element] + (value?.array ?? []))
        case .double: return value
        }
    }
}
