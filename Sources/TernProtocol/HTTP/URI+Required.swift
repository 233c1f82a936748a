extension URI {
    /// Reads an address that must be there.
    ///
    /// - Throws: ``TernError`` with ``TernError/Reason/invalidConfiguration(field:problem:)`` that names the field.
    public static func required(_ text: String, field: String, step: Step = .configuration) throws(TernError) -> URI {
        guard let uri = URI(text) else {
            throw TernError(
                .invalidConfiguration(
                    field: field, problem: "it is not an absolute address without blanks and control characters"),
                at: step)
        }
        return uri
    }
}
