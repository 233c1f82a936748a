internal import TernCrypto

/// What the robot does on a page.
struct RobotChoice {
    let form: WebForm
    let button: WebForm.Button?
    let isLogin: Bool
}

extension RobotBrowser {
    /// Chooses a form and a button, as a user would by what is written on them.
    func choice(on page: Page, loginCount: Int) -> RobotChoice? {
        if var form = page.forms.first(where: { $0.field(ofType: "password") != nil }) {
            if user == nil, consent == .deny, form.buttons.contains(where: { Self.speaks($0, of: Self.refusing) }) {
                return RobotChoice(form: form, button: Self.button(of: form, .deny), isLogin: false)
            }
            // A login page after a login says that the login was refused.
            guard let user, loginCount == 0, let password = form.field(ofType: "password") else { return nil }
            if let name = form.field(ofType: "text", "email", "tel") { form.fill(name.name, user.username) }
            form.fill(password.name, user.password.exposedText)
            return RobotChoice(form: form, button: Self.button(of: form, .give), isLogin: true)
        }
        for form in page.forms {
            if form.buttons.isEmpty, page.forms.count > 1 { continue }
            if consent == .deny, form.buttons.contains(where: { Self.speaks($0, of: Self.refusing) }) {
                return RobotChoice(form: form, button: Self.button(of: form, .deny), isLogin: false)
            }
            // Where several accounts are offered, the robot takes its own.
            let account = form.fields.first { $0.name == "account" }
            if let account, page.forms.count > 1, account.value != user?.subject { continue }
            return RobotChoice(form: form, button: Self.button(of: form, .give), isLogin: false)
        }
        let last = page.forms.last { $0.fields.contains { $0.name == "account" } }
        return last.map { RobotChoice(form: $0, button: $0.buttons.first, isLogin: false) }
    }

    private static let refusing = ["deny", "cancel", "decline", "refuse", "reject", "abort", "no", "stay"]

    private static func button(of form: WebForm, _ consent: Consent) -> WebForm.Button? {
        let refuses = consent == .deny
        return form.buttons.first { speaks($0, of: refusing) == refuses } ?? form.buttons.first
    }

    private static func speaks(_ button: WebForm.Button, of words: [String]) -> Bool {
        let spoken = [button.name ?? "", button.value, button.label].flatMap { text in
            text.lowercased().split { !$0.isLetter }.map(String.init)
        }
        return spoken.contains { words.contains($0) }
    }
}
