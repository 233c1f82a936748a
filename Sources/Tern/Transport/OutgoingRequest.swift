internal import TernProtocol

/// What holds for a request on its way to the network, whichever stack sends it.
extension HTTPRequest {
    /// What keeps the request from being sent as it is; `nil` when nothing does.
    var transportProblem: TernError.Reason? {
        guard ["http", "https"].contains(url.normalizedScheme), url.host?.isEmpty == false else {
            return .invalidConfiguration(field: "url", problem: "it is not an http or https address")
        }
        guard !url.hasUserInformation else {
            return .invalidConfiguration(field: "url", problem: "it has a user name before the host")
        }
        let name = method.rawValue
        guard !name.isEmpty, name.utf8.allSatisfy({ (0x41...0x5A).contains($0) || $0 == 0x2D }) else {
            return .invalidConfiguration(field: "method", problem: "capital letters and - are allowed")
        }
        return nil
    }

    /// The field lines without those that frame the message, which are the transport's.
    var fieldsToSend: [HTTPFields.Field] {
        let framing = ["content-length", "host", "transfer-encoding", "connection", "expect"]
        return fields.fields.filter { !framing.contains($0.name.lowercased()) }
    }
}

extension TransportPolicy {
    /// The `User-Agent` as it is sent: a name that is no legal field value is not.
    var userAgentField: String {
        var fields = HTTPFields()
        fields.append("User-Agent", userAgentName)
        return fields["User-Agent"] ?? "Tern"
    }
}
