#if TERN_CURL
    internal import CCurl
    internal import TernCrypto
    internal import TernProtocol
    #if canImport(Musl)
        internal import Musl
    #else
        internal import Glibc
    #endif

    /// libcurl, loaded when the first request is sent: it brings some thirty libraries along, which a program that
    /// sends nothing should not wait for at every start.
    enum CurlLibrary {
        /// Why there is no libcurl to be had, in words for the user.
        struct Unavailable: Error, Hashable {
            let words: String
        }

        /// The library of this process, ready for use.
        static let shared: Result<CurlFunctions, Unavailable> = {
            // Who uses libcrypto first decides whether it takes itself down in exit(). TernCrypto says no to that, libcurl
            // would say yes, and the thread of a transport may still be at work then.
            _ = HashFunction.sha256.digest([])
            return load("libcurl.so.4").flatMap { curl in
                curl.global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
                    ? .success(curl) : .failure(Unavailable(words: "libcurl 4 cannot be started"))
            }
        }()

        /// Loads a library for the rest of the process's life and looks libcurl's functions up in it.
        static func load(_ name: String) -> Result<CurlFunctions, Unavailable> {
            guard let library = dlopen(name, RTLD_NOW | RTLD_LOCAL) else {
                let cause = dlerror().map { String(cString: $0) } ?? name
                return .failure(
                    Unavailable(
                        words: "libcurl 4 is not installed or cannot be loaded (\(cause)); install it "
                            + "(Debian and Ubuntu: libcurl4, Fedora: libcurl, Alpine: libcurl)"))
            }
            var missing: UnsafePointer<CChar>?
            let curl = tern_curl_resolve(library, &missing)
            if let missing { return .failure(tooOld("it lacks \(String(cString: missing))")) }
            guard let version = curl.version_info(CURLVERSION_FIRST)?.pointee, let text = version.version else {
                return .failure(tooOld("it does not tell its version"))
            }
            guard version.version_num >= UInt32(TERN_CURL_MINIMUM_VERSION) else {
                return .failure(tooOld("it is \(String(cString: text))"))
            }
            return .success(curl)
        }

        private static func tooOld(_ cause: String) -> Unavailable {
            let minimum = "7.\(TERN_CURL_MINIMUM_VERSION >> 8 & 0xFF)"
            return Unavailable(words: "the installed libcurl is too old (\(cause)); install \(minimum) or later")
        }
    }
#endif
