internal import TernJOSE

/// Reads the members of an association file, and notes what has another form than it should.
struct AssociationReader {
    private(set) var problems: [String] = []

    /// How many entries of a list are read.
    private static let maximumCount = 10_000
    /// How many problems are told.
    private static let maximumProblemCount = 10

    mutating func webCredentials(_ json: JSONObject) -> [String] {
        guard let service = json["webcredentials"] else { return [] }
        guard let apps = service["apps"] else {
            note("webcredentials has no apps")
            return []
        }
        return texts(apps, "webcredentials.apps")
    }

    mutating func details(_ json: JSONObject) -> [AssociationDetail] {
        guard let links = json["applinks"] else { return [] }
        guard let details = links["details"] else {
            note("applinks has no details")
            return []
        }
        let variables = variables(links["substitutionVariables"])
        let defaults = defaults(links["defaults"], AssociationDetail.Component())
        if let list = details.array {
            return list.prefix(Self.maximumCount).compactMap { detail($0, variables, defaults) }
        }
        guard let object = details.object else {
            note("applinks.details is no array")
            return []
        }
        // The oldest form: an object with the app identifiers as names.
        return object.prefix(Self.maximumCount).map { app, value in
            let paths = value["paths"].map { texts($0, "applinks.details paths") } ?? []
            return AssociationDetail(
                apps: [app], components: AssociationFile.oldComponents(paths), variables: variables, usesOldForm: true)
        }
    }

    private mutating func detail(
        _ json: JSON, _ variables: [String: [String]], _ defaults: AssociationDetail.Component
    ) -> AssociationDetail? {
        guard json.object != nil else {
            note("an entry of applinks.details is no object")
            return nil
        }
        var apps = json["appIDs"].map { texts($0, "appIDs") } ?? []
        if let app = json["appID"]?.string { apps.append(app) }
        if apps.isEmpty { note("an entry of applinks.details names no app") }
        let own = self.defaults(json["defaults"], defaults)
        guard let list = json["components"] else {
            let paths = json["paths"].map { texts($0, "paths") } ?? []
            if json["paths"] == nil { note("an entry of applinks.details has neither components nor paths") }
            return AssociationDetail(
                apps: apps, components: AssociationFile.oldComponents(paths), variables: variables, usesOldForm: true)
        }
        guard let list = list.array else {
            note("components is no array")
            return AssociationDetail(apps: apps, components: [], variables: variables, usesOldForm: false)
        }
        return AssociationDetail(
            apps: apps, components: list.prefix(Self.maximumCount).compactMap { component($0, own) },
            variables: variables, usesOldForm: false)
    }

    private mutating func component(
        _ json: JSON, _ defaults: AssociationDetail.Component
    ) -> AssociationDetail.Component? {
        guard json.object != nil else {
            note("an entry of components is no object")
            return nil
        }
        var component = self.defaults(json, defaults)
        if let path = json["/"] {
            if let path = path.string { component.path = path } else { note("a path pattern is no text") }
        }
        switch json["?"] {
        case .string("*"), nil: break
        case .string(let query): component.query = query
        case .some(let query):
            let isAnything = query.object?.allSatisfy { $0.value.string == "*" } ?? false
            if !isAnything { component.query = query.text }
        }
        if let fragment = json["#"]?.string, fragment != "*" { component.fragment = fragment }
        if let isExcluding = json["exclude"] {
            if let isExcluding = isExcluding.bool {
                component.isExcluding = isExcluding
            } else {
                note("exclude is neither true nor false")
            }
        }
        return component
    }

    private func defaults(
        _ json: JSON?, _ defaults: AssociationDetail.Component
    ) -> AssociationDetail.Component {
        var component = defaults
        if let isCaseSensitive = json?["caseSensitive"]?.bool { component.isCaseSensitive = isCaseSensitive }
        if let isPercentEncoded = json?["percentEncoded"]?.bool { component.isPercentEncoded = isPercentEncoded }
        return component
    }

    private mutating func variables(_ json: JSON?) -> [String: [String]] {
        var variables: [String: [String]] = [:]
        guard let object = json?.object else { return variables }
        for (name, values) in object.prefix(Self.maximumCount) {
            variables[name] = texts(values, "substitutionVariables")
        }
        return variables
    }

    private mutating func texts(_ json: JSON, _ name: String) -> [String] {
        guard let list = json.array else {
            note("\(name) is no array")
            return []
        }
        let texts = list.prefix(Self.maximumCount).compactMap(\.string)
        if texts.count < min(list.count, Self.maximumCount) { note("\(name) holds something else than texts") }
        return texts
    }

    private mutating func note(_ problem: String) {
        if problems.count < Self.maximumProblemCount, !problems.contains(problem) { problems.append(problem) }
    }
}
