internal import Tern

/// A property list in a file, as XML or binary.
enum PropertyListFile {
    /// Reads the file.
    ///
    /// - Parameters:
    ///   - path: where it is.
    ///   - option: the option that named it, such as `--info-plist`, which an error names.
    /// - Throws: `invalidConfiguration` when it cannot be read or is no property list.
    static func read(_ path: String, option: String) throws(TernError) -> PropertyListValue { .other }
}
