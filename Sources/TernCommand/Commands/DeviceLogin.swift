internal import Tern

/// `tern login --device`: shows a code, which the user types on another device.
struct DeviceLogin: Sendable {
    static let specifications = [
        OptionSpecification("--device", "show a code to type on another device, and wait until that is done"),
        OptionSpecification("--no-qr", "with --device: show no QR code"),
        OptionSpecification(
            "--device-authorization-url", value: "URL",
            "with --device: where the codes come from, for servers whose metadata does not say it"),
    ]

    private let showsPicture: Bool
    private let endpoint: URI?

    /// `nil` where it is not asked for.
    init?(_ arguments: Arguments) throws(UsageError) {
        guard arguments.has("--device") else {
            guard !arguments.has("--no-qr") else { throw UsageError("--no-qr is for --device") }
            guard arguments.value("--device-authorization-url") == nil else {
                throw UsageError("--device-authorization-url is for --device")
            }
            return nil
        }
        let others = ["--redirect", "--prompt", "--login-hint", "--timeout", "--request-token-url"]
            .filter { arguments.value($0) != nil }
        let flags = ["--no-browser", "--paste"].filter(arguments.has)
        if let other = (others + flags).first { throw UsageError("\(other) has no use with --device") }
        showsPicture = !arguments.has("--no-qr")
        endpoint = try arguments.value("--device-authorization-url").map { (text) throws(UsageError) -> URI in
            guard let address = URI(text) else {
                throw UsageError("--device-authorization-url wants an absolute address")
            }
            return address
        }
    }

    /// Signs in; what the user needs is shown meanwhile.
    func signIn(_ client: OAuthClient, _ console: Console) async throws(TernError) -> Session {
        var options = DeviceSignInOptions()
        options.endpoint = endpoint
        return try await client.signInOnOtherDevice(options) { authorization in
            if console.isJSON {
                console.print(Self.event(authorization))
            } else {
                for line in lines(for: authorization, columns: Terminal.columns, inColor: Terminal.showsColors) {
                    console.note(line)
                }
            }
        }
    }

    private static func event(_ authorization: DeviceAuthorization) -> JSONObject {
        var event: JSONObject = [
            "event": "device_code", "user_code": .string(authorization.userCode),
            "verification_uri": .string(authorization.verificationURI.text),
        ]
        event["verification_uri_complete"] = authorization.completeVerificationURI.map { .string($0.text) }
        event["expires_in"] = authorization.lifetime.map { .number(JSONNumber($0.components.seconds)) }
        return event
    }

    /// What is shown at a terminal of so many columns; `nil` for none.
    func lines(for authorization: DeviceAuthorization, columns: Int?, inColor: Bool) -> [String] {
        func strong(_ text: String) -> String { inColor ? "\u{1B}[1m\(text)\u{1B}[0m" : text }
        let code = Console.plain(authorization.userCode)
        var lines = [
            "", "  Sign in on your phone or computer. Open", "",
            "      " + strong(Console.plain(authorization.verificationURI.text)), "", "  and type this code:", "",
            // Far apart, it is read aloud and typed without a mistake; the line below can be copied.
            "      " + strong(code.map(String.init).joined(separator: " ")), "      " + code, "",
        ]
        let address = authorization.completeVerificationURI ?? authorization.verificationURI
        if showsPicture, let columns, let picture = QRCode(address.text, correction: .low),
            columns >= picture.size + 8
        {
            // With colours of its own it is dark on light, whatever the terminal's are.
            lines += picture.lines.map { inColor ? "\u{1B}[97;40m\($0)\u{1B}[0m" : $0 }
            if authorization.completeVerificationURI != nil {
                lines.append("  The picture leads there too. Compare the code that the page shows.")
            }
            lines.append("")
        }
        let minutes = authorization.lifetime.map { max(1, $0.components.seconds / 60) }
        lines.append(
            "  Waiting\(minutes.map { ", for up to \($0) minute\($0 == 1 ? "" : "s")" } ?? ""). Ctrl-C ends it.")
        return lines
    }
}
