/// Reads the lists of an app's files, and says what is wrong with their form.
struct AppleAppReader {
    private let variables: BuildVariables
    private(set) var findings: [Finding] = []

    /// How many entries of a list are read.
    private static let maximumCount = 1_000
    /// How many faults are told.
    private static let maximumFindingCount = 20

    init(_ variables: BuildVariables) { self.variables = variables }

    mutating func schemes(_ info: PropertyListValue?) -> [AppleApp.URLScheme] {
        guard let types = info?["CFBundleURLTypes"] else { return [] }
        guard let list = types.array else {
            fault("url_types", "The URL types cannot be read", "CFBundleURLTypes is no array.")
            return []
        }
        var schemes: [AppleApp.URLScheme] = []
        for type in list.prefix(Self.maximumCount) {
            let name = type["CFBundleURLName"]?.string.map(variables.expanding)
            guard type.dictionary != nil else {
                fault("url_types", "A URL type cannot be read", "It is no dictionary.")
                continue
            }
            guard let texts = type["CFBundleURLSchemes"]?.array else {
                let problem =
                    type["CFBundleURLSchemes"] == nil
                    ? "It has no CFBundleURLSchemes." : "Its CFBundleURLSchemes is no array."
                fault("url_types", "A URL type has no schemes", problem)
                continue
            }
            for text in texts.prefix(Self.maximumCount) {
                guard let text = text.string, !text.isEmpty else {
                    fault("url_types", "A scheme cannot be read", "It is no text, or an empty one.")
                    continue
                }
                schemes.append(
                    AppleApp.URLScheme(
                        text: variables.expanding(text), name: name, role: type["CFBundleTypeRole"]?.string))
            }
        }
        return schemes
    }

    mutating func domains(_ entitlements: PropertyListValue?) -> [AssociatedDomain] {
        guard entitlements?["com.apple.developer.associated-domains"] != nil else { return [] }
        var domains: [AssociatedDomain] = []
        for text in texts(entitlements, "com.apple.developer.associated-domains") {
            if let variable = BuildVariables.first(in: text) {
                add(
                    Finding(
                        .unchecked, "associated_domain_form", "An associated domain is not known",
                        "A build variable stands in it: \(Shown.text(variable)).",
                        fix: "give the entitlements of the built app"))
                continue
            }
            do throws(AssociatedDomain.Problem) {
                domains.append(try AssociatedDomain(text))
            } catch {
                add(
                    Finding(
                        .failed, "associated_domain_form", "An associated domain cannot be read",
                        "\(Shown.text(text)): \(error.words).", fix: "write it as webcredentials:app.example.com"))
            }
        }
        return domains
    }

    /// A list of texts, with the known build variables replaced.
    mutating func texts(_ list: PropertyListValue?, _ key: String) -> [String] {
        guard let value = list?[key] else { return [] }
        guard let values = value.array else {
            fault("entitlements", "An entitlement cannot be read", "\(key) is no array.")
            return []
        }
        return values.prefix(Self.maximumCount).compactMap { $0.string.map(variables.expanding) }
    }

    private mutating func fault(_ name: String, _ title: String, _ problem: String) {
        add(Finding(.failed, name, title, problem))
    }

    private mutating func add(_ finding: Finding) {
        if findings.count < Self.maximumFindingCount { findings.append(finding) }
    }
}
