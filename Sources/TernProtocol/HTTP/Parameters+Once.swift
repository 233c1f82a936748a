extension FormParameters {
    /// Appends further parameters of an application's, each of which may stand only once.
    ///
    /// - Throws: ``TernError`` with `invalidConfiguration` that names the parameter that is there already.
    package mutating func append(once further: FormParameters, at step: Step) throws(TernError) {
        for parameter in further.parameters {
            guard self[parameter.name] == nil else {
                throw TernError(
                    .invalidConfiguration(
                        field: parameter.name, problem: "it is set already and may stand only once"), at: step)
            }
            append(parameter.name, parameter.value)
        }
    }
}

extension URI {
    /// The address with parameters behind its own query, which is kept octet for octet.
    ///
    /// - Throws: ``TernError`` with `invalidConfiguration` and the name of the field that this address comes from, when
    ///   its query holds one of the parameters already.
    package func appending(once parameters: FormParameters, field: String, at step: Step) throws(TernError) -> URI {
        if let query = encodedQuery, !query.isEmpty {
            func invalid(_ problem: String) -> TernError {
                TernError(.invalidConfiguration(field: field, problem: problem), at: step)
            }
            guard let given = FormParameters(decoding: query) else {
                throw invalid("its query holds too many parameters")
            }
            for parameter in given.parameters where parameters[parameter.name] != nil {
                throw invalid("its query holds \"\(parameter.name)\", which is set here")
            }
        }
        return try URI.required(appendingQuery(parameters), field: field, step: step)
    }
}
