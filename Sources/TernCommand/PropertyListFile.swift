internal import Tern

/// A property list in a file, as XML or binary. Tern reads both itself: Foundation has a reader, would add megabytes to
/// the program, and is nowhere else in it.
enum PropertyListFile {
    /// Reads the file.
    ///
    /// - Parameters:
    ///   - path: where it is.
    ///   - option: the option that named it, such as `--info-plist`, which an error names.
    /// - Throws: `invalidConfiguration` when it cannot be read or is no property list.
    static func read(_ path: String, option: String) throws(TernError) -> PropertyListValue {
        let bytes = try KeyFile.bytes(of: path, called: option)
        do throws(PropertyListError) {
            return try PropertyListValue(parsing: bytes)
        } catch {
            throw TernError(.invalidConfiguration(field: option, problem: error.description), at: .configuration)
        }
    }
}
