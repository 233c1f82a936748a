/// The version of the package.
enum Version {
    static let text = "tern 0.1.0"
}
