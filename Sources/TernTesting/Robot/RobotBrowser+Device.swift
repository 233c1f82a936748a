public import TernProtocol

extension RobotBrowser {
    /// Does what a user does for a device: opens the page, types the code, logs in, and allows or denies.
    ///
    /// - Returns: the last page.
    /// - Throws: what ``signIn(at:stoppingAt:)`` throws.
    @discardableResult
    public func approve(_ authorization: DeviceAuthorization) async throws(TernError) -> Page {
        try await approve(authorization.userCode, at: authorization.verificationURI)
    }

    /// The same, for a code and the page to type it at.
    ///
    /// - Throws: what ``signIn(at:stoppingAt:)`` throws.
    @discardableResult
    public func approve(_ userCode: String, at address: URI) async throws(TernError) -> Page {
        guard let first = try await open(address).page, var form = first.forms.first,
            let field = form.field(ofType: "text")
        else { throw Self.lost("the page has no field for the code") }
        form.fill(field.name, userCode)
        var arrival = try await submit(form, on: first)
        var loginCount = 0
        for _ in 0..<Self.maximumPageCount {
            guard let page = arrival.page else { break }
            // The page with the field again means that the code was not taken.
            guard !page.forms.contains(where: { $0.fields.contains { $0.name == field.name } }),
                let choice = choice(on: page, loginCount: loginCount)
            else { return page }
            if choice.isLogin { loginCount += 1 }
            arrival = try await submit(choice.form, on: page, pressing: choice.button)
        }
        throw Self.lost("too many pages")
    }
}
