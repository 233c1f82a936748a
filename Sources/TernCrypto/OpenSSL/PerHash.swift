#if TERN_OPENSSL
    internal import Synchronization

    /// One object for each hash function, made when it is first needed and kept. Reading takes no lock; when two threads
    /// make the same object at once, one of the two is kept.
    struct PerHash<Object: AnyObject & Sendable>: ~Copyable, Sendable {
        private let sha1 = AtomicLazyReference<Object>()
        private let sha256 = AtomicLazyReference<Object>()
        private let sha384 = AtomicLazyReference<Object>()
        private let sha512 = AtomicLazyReference<Object>()

        func object(for hash: HashFunction, make: () -> Object?) -> Object? {
            switch hash {
            case .sha1: Self.object(in: sha1, make: make)
            case .sha256: Self.object(in: sha256, make: make)
            case .sha384: Self.object(in: sha384, make: make)
            case .sha512: Self.object(in: sha512, make: make)
            }
        }

        private static func object(in place: borrowing AtomicLazyReference<Object>, make: () -> Object?) -> Object? {
            if let object = place.load() { return object }
            return make().map { place.storeIfNil($0) }
        }
    }
#endif
