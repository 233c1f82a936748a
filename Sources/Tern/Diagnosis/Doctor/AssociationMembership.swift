internal import TernProtocol

/// Whether an association file names an app and the address of its redirect.
enum AssociationMembership {
    static func findings(_ file: AssociationFile, _ redirect: URI, _ app: AppleApp?) -> [Finding] {
        guard let app else {
            return [
                Finding(
                    .unchecked, "association_webcredentials", "Whether the file names the app is not known",
                    names(file.webCredentials),
                    fix: "name the app identifier, or give the app's files")
            ]
        }
        return [webCredentials(file, app)] + links(file, redirect, app)
    }

    private static func webCredentials(_ file: AssociationFile, _ app: AppleApp) -> Finding {
        let name = "association_webcredentials"
        switch Membership(of: app, in: file.webCredentials) {
        case .named(let identifier):
            return Finding(.passed, name, "The file names the app for the sign-in sheet", Shown.text(identifier))
        case .unknown(let nearest):
            return Finding(
                .unchecked, name, "Whether the file names the app for the sign-in sheet is not known",
                nearest.map { "It names \(Shown.text($0)), and the first part of the identifier was not compared." }
                    ?? names(file.webCredentials),
                fix: "name the app identifier with its first part")
        case .missing(let wanted, let nearest):
            return Finding(
                .failed, name, "The file does not name the app for the sign-in sheet",
                file.webCredentials.isEmpty
                    ? "It has no webcredentials, without which the sheet takes no https answers." : nil,
                fix: "add \(Shown.text(wanted)) to webcredentials.apps",
                comparison: nearest.map { Shown.comparison("app", wanted, "file", $0) })
        }
    }

    /// Links matter where the app is entitled to them; the sign-in sheet needs none.
    private static func links(_ file: AssociationFile, _ redirect: URI, _ app: AppleApp) -> [Finding] {
        let isEntitled = redirect.host.flatMap { app.domain(.appLinks, $0) } != nil
        let name = "association_applinks"
        switch Membership(of: app, in: file.appLinks) {
        case .missing(let wanted, let nearest):
            guard isEntitled else {
                return [
                    Finding(
                        .note, name, "The file lets no links open the app",
                        "The sign-in sheet does not need that; a sign-in in the browser does.")
                ]
            }
            return [
                Finding(
                    .failed, name, "The file does not name the app for links",
                    "The app is entitled to applinks of the host, and the host does not agree.",
                    fix: "add an entry with \(Shown.text(wanted)) to applinks.details",
                    comparison: nearest.map { Shown.comparison("app", wanted, "file", $0) })
            ]
        case .unknown(let nearest):
            return [
                Finding(
                    .unchecked, name, "Whether the file names the app for links is not known",
                    nearest.map { "It names \(Shown.text($0)), and the first part of the identifier was not compared." }
                        ?? names(file.appLinks))
            ]
        case .named(let identifier):
            var findings = [
                Finding(.passed, name, "The file names the app for links", Shown.text(identifier)),
                path(file.decision(for: redirect, app: identifier), redirect, isEntitled: isEntitled),
            ]
            if file.usesOldForm {
                findings.append(
                    Finding(
                        .note, "association_old_form", "The file describes links in the form of before iOS 13",
                        "Paths in the place of components are still read."))
            }
            return findings
        }
    }

    private static func path(_ decision: AssociationFile.Decision, _ redirect: URI, isEntitled: Bool) -> Finding {
        let name = "association_path"
        let path = redirect.encodedPath.isEmpty ? "/" : redirect.encodedPath
        let level: Finding.Level = isEntitled ? .failed : .warning
        switch decision {
        case .opens(let pattern):
            return Finding(
                .passed, name, "Links of the redirect's path open the app", "The pattern: \(Shown.text(pattern))")
        case .excluded(let pattern):
            return Finding(
                level, name, "Links of the redirect's path are kept from the app",
                "The first pattern that fits decides, and this one excludes.",
                fix: "put a pattern for \(Shown.text(path)) before it",
                comparison: Shown.comparison("path", path, "excluded", pattern))
        case .unmentioned:
            return Finding(
                level, name, "No pattern is about the redirect's path",
                "Links of \(Shown.text(path)) open the browser.",
                fix: "add a component with the path \(Shown.text(path))")
        case .undecided(let reason):
            return Finding(.unchecked, name, "Whether links of the redirect open the app is not known", "\(reason).")
        }
    }

    private static func names(_ apps: [String]) -> String {
        guard !apps.isEmpty else { return "It names none there." }
        let shown = apps.prefix(maximumShownCount).map(Shown.text).joined(separator: ", ")
        return
            "It names \(shown)\(apps.count > maximumShownCount ? " and \(apps.count - maximumShownCount) more" : "")."
    }

    private static let maximumShownCount = 5
}

/// Whether a list of app identifiers holds that of an app.
private enum Membership {
    case named(String)
    /// It does not; the identifier, and the one in the list that is most like it.
    case missing(String, nearest: String?)
    /// Too little is known of the app; one in the list that may be it.
    case unknown(nearest: String?)

    init(of app: AppleApp, in list: [String]) {
        if let identifier = app.appIdentifier {
            self =
                list.contains { $0.hasSameOctets(as: identifier) }
                ? .named(identifier) : .missing(identifier, nearest: Nearest.text(to: identifier, among: list))
            return
        }
        guard let bundle = app.bundleIdentifier else {
            self = .unknown(nearest: app.prefix.flatMap { prefix in list.first { $0.hasPrefix(prefix + ".") } })
            return
        }
        // The first part has no dot, so what follows the first dot is the bundle identifier.
        let candidate = list.first { identifier in
            identifier.split(separator: ".", maxSplits: 1).dropFirst().first.map(String.init) == bundle
        }
        if let candidate {
            self = .unknown(nearest: candidate)
        } else {
            let wanted = "TEAMID.\(bundle)"
            self = .missing(wanted, nearest: Nearest.text(to: wanted, among: list))
        }
    }
}
