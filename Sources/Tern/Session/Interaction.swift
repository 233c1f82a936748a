/// Whether a session may show the sign-in page by itself when its grant is dead.
public enum Interaction: Sendable {
    /// It shows nothing; callers get `reauthenticationRequired`.
    case forbidden
    /// It shows the page once, to the user that was signed in; whoever needs a token meanwhile waits for the outcome.
    case allowed(with: any UserAgent, options: SignInOptions = SignInOptions())

    /// Forbids showing a page to everything that a body does, whatever its sessions are allowed: for work in the
    /// background. A call that needs the page then throws `interactionForbidden`; it still waits for a sign-in that runs
    /// already.
    public static func forbidding<Result: Sendable, Failure>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        let outcome = await $isForbidden.withValue(true) { () async -> Swift.Result<Result, Failure> in
            do throws(Failure) { return .success(try await body()) } catch { return .failure(error) }
        }
        return try outcome.get()
    }

    @TaskLocal static var isForbidden = false
}
