#if TERN_CURL || os(Linux)
    import Testing

    @testable import Tern

    /// libcurl is loaded at run time.
    @Suite struct CurlLibraryTests {
        private func failure(_ name: String) -> String? {
            do throws(CurlLibrary.Unavailable) {
                _ = try CurlLibrary.load(name).get()
                return nil
            } catch {
                return error.words
            }
        }

        @Test func loadsAndFindsEveryFunction() {
            #expect(failure("libcurl.so.4") == nil)
            #expect(throws: Never.self) { try CurlLibrary.shared.get() }
        }

        @Test func aMissingLibraryIsNamedWithWhatToInstall() throws {
            let words = try #require(failure("libcurl.so.none"))
            #expect(words.hasPrefix("libcurl 4 is not installed or cannot be loaded (libcurl.so.none: "))
            #expect(words.hasSuffix("; install it (Debian and Ubuntu: libcurl4, Fedora: libcurl, Alpine: libcurl)"))
        }

        @Test func aLibraryWithoutTheFunctionsIsTooOld() {
            let words = "the installed libcurl is too old (it lacks curl_global_init); install 7.8"
            #expect(failure("libc.so.6")?.hasPrefix(words) == true)
        }
    }
#endif
