import Tern

/// The clause that forbids what a body does; `nil` when nothing does.
func clause<Result>(_ body: () async throws -> Result) async throws -> String? {
    do {
        _ = try await body()
        return nil
    } catch let error as TernError {
        guard case .profileViolated(_, let clause, _) = error.reason else { throw error }
        return clause
    }
}
