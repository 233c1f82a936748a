internal import TernProtocol

/// One entry under `applinks`: apps, and the patterns of the addresses that open them.
struct AssociationDetail: Sendable, Hashable {
    /// A pattern with how it is compared.
    struct Component: Sendable, Hashable {
        var path = "*"
        /// What the query must be like; `nil` where anything is.
        var query: String?
        /// What the fragment must be like; `nil` where anything is.
        var fragment: String?
        var isExcluding = false
        var isCaseSensitive = true
        var isPercentEncoded = true
    }

    var apps: [String]
    var components: [Component]
    var variables: [String: [String]]
    var usesOldForm: Bool

    func decision(for uri: URI) -> AssociationFile.Decision {
        for component in components {
            guard let fits = component.fits(uri, variables) else {
                return .undecided("the pattern \(Shown.text(component.path)) uses a variable that is not known here")
            }
            guard fits else { continue }
            if component.query != nil {
                return .undecided("the pattern \(Shown.text(component.path)) also looks at the query of the answer")
            }
            return component.isExcluding ? .excluded(pattern: component.path) : .opens(pattern: component.path)
        }
        return .unmentioned
    }
}

extension AssociationDetail.Component {
    /// Whether path and fragment fit; an answer has no fragment. `nil` where that is not known.
    fileprivate func fits(_ uri: URI, _ variables: [String: [String]]) -> Bool? {
        func pattern(_ text: String) -> AssociationPattern? {
            AssociationPattern(text, variables: variables, isCaseSensitive: isCaseSensitive)
        }
        guard let path = pattern(self.path) else { return nil }
        // An address without a path is that of the root.
        let written = uri.encodedPath.isEmpty ? "/" : uri.encodedPath
        guard path.matches(isPercentEncoded ? written : Self.decoded(written)) else { return false }
        guard let fragment else { return true }
        return pattern(fragment)?.matches("")
    }

    /// A plus sign is no blank in a path.
    private static func decoded(_ path: String) -> String {
        path.split(separator: "+", omittingEmptySubsequences: false).map { PercentCodec.decodeForm(String($0)) }
            .joined(separator: "+")
    }
}

extension AssociationFile {
    /// An entry of the old form: patterns of paths, of which those after `NOT` keep addresses from the app.
    static func oldComponents(_ paths: [String]) -> [AssociationDetail.Component] {
        paths.map { path in
            var component = AssociationDetail.Component()
            component.isExcluding = path.hasPrefix("NOT ")
            component.path = component.isExcluding ? String(path.dropFirst(4)) : path
            return component
        }
    }
}
