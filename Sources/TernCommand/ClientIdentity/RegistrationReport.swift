internal import Tern

/// What the command says about a registered client: never a secret.
struct RegistrationReport: Sendable {
    let issuer: Issuer
    let information: ClientInformation
    /// What the server registered otherwise than it was asked to.
    var differences: [ClientInformation.Difference] = []

    private var isManageable: Bool {
        information.registrationAddress != nil && information.registrationAccessToken != nil
    }

    var json: JSONObject {
        var object: JSONObject = [
            "issuer": .string(issuer.text), "client_id": .string(information.clientID),
            "has_secret": .bool(information.clientSecret != nil), "manageable": .bool(isManageable),
            "metadata": .object(TokenText.json(information.metadata.members)),
            "differences": .array(
                differences.map { difference in
                    var object: JSONObject = ["name": .string(difference.name), "asked": difference.asked]
                    object["registered"] = difference.granted
                    return .object(TokenText.json(object))
                }),
        ]
        object["secret_expires_at"] = information.secretExpiration.map { .string($0.description) }
        return object
    }

    func lines(now: NumericDate) -> [String] {
        var lines = ["client ID: \(Console.plain(information.clientID))"]
        lines += TokenText.lines(information.metadata.members, now: now)
        if information.clientSecret != nil {
            switch information.secretExpiration {
            case nil: lines.append("secret:    kept here; it does not end")
            case let end? where end <= now: lines.append("secret:    it ended at \(end); register anew")
            case let end?: lines.append("secret:    kept here; it ends at \(end)")
            }
        }
        lines.append(
            isManageable
                ? "limits:    it can be changed and deleted from here"
                : "limits:    the server lets nobody change or delete it from here")
        for difference in differences {
            let granted = difference.granted.map(Self.text) ?? "nothing"
            lines.append(
                "limits:    \(Console.plain(difference.name)) is \(granted); asked for was \(Self.text(difference.asked))"
            )
        }
        return lines
    }

    private static func text(_ value: JSON) -> String {
        let shown = TokenText.json(["value": value])["value"] ?? value
        return Console.plain(shown.string ?? shown.text)
    }
}
