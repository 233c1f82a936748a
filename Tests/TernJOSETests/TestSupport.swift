import TernJOSE

/// Whether an error says that a key cannot be used, and with which words among others.
func isKeyUnusable(_ error: any Error, because words: String = "") -> Bool {
    guard let error = error as? JOSEError, case .keyUnusable(let reason) = error else { return false }
    return words.isEmpty || reason.contains(words)
}
