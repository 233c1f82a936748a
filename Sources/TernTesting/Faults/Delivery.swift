internal import TernCrypto
public import TernJOSE
public import TernProtocol

/// What comes over the connection after a request, and when.
public struct Delivery: Sendable, Hashable {
    /// What comes.
    public enum Outcome: Sendable, Hashable {
        /// A whole answer.
        case answer(HTTPResponse)
        /// The head of an answer and so many bytes of its body, which is longer; the connection breaks there.
        case cutOff(HTTPResponse, after: Int)
        /// Nothing: the connection breaks.
        case dropped
    }

    /// How a connection that breaks ends.
    public enum End: String, Sendable, Hashable {
        /// It is closed in good order.
        case closed
        /// It is reset.
        case reset
        /// It stays open and nothing comes any more, until the client gives up or the server stops.
        case silence
    }

    /// A body that comes in pieces.
    public struct Pace: Sendable, Hashable {
        /// The bytes of a piece.
        public var byteCount: Int
        /// The pause before each further piece.
        public var pause: Duration

        /// Describes a pace.
        public init(byteCount: Int, pause: Duration) {
            self.byteCount = byteCount
            self.pause = pause
        }
    }

    /// How long it takes until the answer begins.
    public var delay: Duration
    /// What comes.
    public var outcome: Outcome
    /// How the connection ends, where it breaks.
    public var end: End
    /// How the body comes; at once where `nil`.
    public var pace: Pace?

    /// Describes what comes.
    public init(_ outcome: Outcome, after delay: Duration = .zero, end: End = .closed, pace: Pace? = nil) {
        self.outcome = outcome
        self.delay = delay
        self.end = end
        self.pace = pace
    }
}

extension AuthorizationServer {
    /// Answers a request, faults of the connection included: for transports and listeners.
    public mutating func deliver(_ request: HTTPRequest, at now: NumericDate) -> Delivery {
        let endpoint = Endpoint(path: request.url.encodedPath, prefix: pathPrefix)
        let actions = faults.actions(for: request, at: endpoint)
        let number = journal.note(request, at: endpoint, now)
        var delivery = Delivery(.dropped)
        for case .delay(let duration) in actions { delivery.delay += duration }
        for case .connection(let end) in actions { delivery.end = end }
        for case .drip(let count, let pause) in actions {
            delivery.pace = Delivery.Pace(byteCount: count, pause: pause)
        }
        guard !actions.contains(.dropRequest) else {
            journal.set(.requestLost(delivery.end), of: number)
            return delivery
        }

        var response = replacement(actions, endpoint)
        if response == nil {
            for case .rotateKeys(let keepingPrevious) in actions { rotateKeys(keepingPrevious: keepingPrevious) }
            if actions.contains(.handleTwice) { _ = honestAnswer(to: request, for: endpoint, at: now) }
            response = honestAnswer(to: request, for: endpoint, at: now)
        }
        guard var response else { return delivery }
        // RFC 9110 §6.6.1: a server with a clock says the time.
        if response.fields["Date"] == nil { response.fields["Date"] = HTTPDate(date: now).description }
        for action in actions { change(&response, action, request) }
        lastAnswers[endpoint] = response
        journal.setStatus(response.status, of: number)

        delivery.outcome = .answer(response)
        for action in actions {
            switch action {
            case .truncate(let count) where count < response.body.count:
                delivery.outcome = .cutOff(response, after: max(0, count))
                journal.set(.cutOff(delivery.end), of: number)
            case .dropAnswer:
                delivery.outcome = .dropped
                journal.set(.answerLost(delivery.end), of: number)
            default: break
            }
        }
        return delivery
    }

    private func replacement(_ actions: [FaultAction], _ endpoint: Endpoint) -> HTTPResponse? {
        for action in actions {
            switch action {
            case .replace(let response): return response
            case .redirect(let address, let status): return HTTPResponse(status: status, fields: ["Location": address])
            case .repeatLastAnswer: if let last = lastAnswers[endpoint] { return last }
            default: break
            }
        }
        return nil
    }

    private mutating func change(_ response: inout HTTPResponse, _ action: FaultAction, _ request: HTTPRequest) {
        switch action {
        case .status(let status): response.status = status
        case .header(let name, let value): response.fields[name] = value
        case .body(let bytes): response.body = bytes
        case .member(let path, let edit):
            guard let json = try? JSON(parsing: response.body) else { return }
            response.body = (json.edited(at: path[...], edit) ?? .null).serialized()
        case .parameter(let name, let edit):
            response.editLocation { parameters in
                guard case .double = edit else {
                    parameters[name] = edit.applied(to: parameters[name].map(JSON.string))?.asText
                    return
                }
                if let value = parameters[name] { parameters.append(name, value) }
            }
        case .changeToken(let change): changeToken(in: &response, change, request)
        default: break
        }
    }

    private mutating func changeToken(in response: inout HTTPResponse, _ change: TokenChange, _ request: HTTPRequest) {
        let clientID = request.formParameters?["client_id"] ?? request.queryParameters?["client_id"]
        let client = client(clientID) ?? (clients.count == 1 ? clients.first : nil)
        let secret = client?.authentication.secret.map { SymmetricKey(secret: $0) }
        var ring = keys
        if response.mediaType?.hasSuffix("jwt") == true {
            let text = String(decoding: response.body, as: UTF8.self)
            response.body = Array(change.applied(to: text, keys: &ring, secret: secret).utf8)
        } else if var object = (try? JSON(parsing: response.body))?.object {
            guard let token = object["id_token"]?.string else { return }
            object["id_token"] = .string(change.applied(to: token, keys: &ring, secret: secret))
            response.body = object.serialized()
        } else {
            response.editLocation { parameters in
                for name in ["id_token", "response"] {
                    guard let token = parameters[name] else { continue }
                    parameters[name] = change.applied(to: token, keys: &ring, secret: secret)
                }
            }
        }
        keys = ring
    }
}

extension HTTPResponse {
    /// Changes the parameters in the address of a redirect: those of the fragment where there is one, otherwise those
    /// of the query.
    fileprivate mutating func editLocation(_ edit: (inout FormParameters) -> Void) {
        guard let uri = fields["Location"].flatMap(URI.init) else { return }
        if let fragment = uri.encodedFragment {
            guard var parameters = FormParameters(decoding: fragment) else { return }
            edit(&parameters)
            fields["Location"] = uri.withoutFragment + (parameters.isEmpty ? "" : "#" + parameters.encoded)
        } else {
            guard var parameters = FormParameters(decoding: uri.encodedQuery ?? "") else { return }
            edit(&parameters)
            fields["Location"] = uri.withoutQueryAndFragment + (parameters.isEmpty ? "" : "?" + parameters.encoded)
        }
    }
}

extension JSON {
    fileprivate var asText: String { string ?? text }

    /// The value with a change at a path.
    fileprivate func edited(at path: ArraySlice<String>, _ edit: Edit) -> JSON? {
        guard let name = path.first else { return edit.applied(to: self) }
        if var object {
            object[name] =
                (object[name] ?? .null).isNull && path.count == 1
                ? edit.applied(to: object[name]) : object[name]?.edited(at: path.dropFirst(), edit)
            return .object(object)
        }
        if var array, let index = Int(name), array.indices.contains(index) {
            if let value = array[index].edited(at: path.dropFirst(), edit) {
                array[index] = value
            } else {
                array.remove(at: index)
            }
            return .array(array)
        }
        return self
    }
}
