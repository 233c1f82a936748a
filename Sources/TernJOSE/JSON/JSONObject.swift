/// The members of a JSON object in the order in which they were written; every name occurs once.
///
/// Names are compared code point by code point (RFC 8259 §8.3), not by the canonical equivalence of `String`. Two
/// objects are equal when they have the same members in whatever order.
public struct JSONObject: Sendable, Hashable, Sequence, ExpressibleByDictionaryLiteral {
    struct Member: Sendable {
        var name: String
        var value: JSON
    }

    private(set) var members: [Member]

    /// For members whose names are known to differ.
    init(uncheckedMembers members: [Member]) { self.members = members }

    /// An object without members.
    public init() { members = [] }

    /// The members of the literal; where a name occurs twice, the later value counts.
    public init(dictionaryLiteral elements: (String, JSON)...) {
        members = []
        for (name, value) in elements { self[name] = value }
    }

    /// How many members there are.
    public var count: Int { members.count }

    /// Whether there are no members.
    public var isEmpty: Bool { members.isEmpty }

    /// The names in their order.
    public var names: [String] { members.map(\.name) }

    /// The value of the member of this name, `nil` when there is none. Setting a value replaces it in its place or adds
    /// it at the end; setting `nil` removes the member (to set a null, assign ``JSON/null``).
    public subscript(name: String) -> JSON? {
        get {
            for member in members where hasSameCodePoints(member.name, name) { return member.value }
            return nil
        }
        set {
            let index = members.firstIndex { hasSameCodePoints($0.name, name) }
            switch (index, newValue) {
            case (let index?, let value?): members[index].value = value
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append(Member(name: name, value: value))
            case (nil, nil): break
            }
        }
    }

    /// The object without the members of these names.
    public func removing(_ names: String...) -> JSONObject {
        let kept = members.filter { member in !names.contains { hasSameCodePoints($0, member.name) } }
        return JSONObject(uncheckedMembers: kept)
    }

    /// Steps through the members in their order.
    public func makeIterator() -> Iterator { Iterator(members: members.makeIterator()) }

    /// Steps through the members of an object in their order.
    public struct Iterator: IteratorProtocol {
        fileprivate var members: IndexingIterator<[Member]>

        /// The next member, `nil` after the last.
        public mutating func next() -> (name: String, value: JSON)? {
            members.next().map { ($0.name, $0.value) }
        }
    }

    /// Whether both have the same members, in whatever order.
    public static func == (one: JSONObject, other: JSONObject) -> Bool {
        guard one.count == other.count else { return false }
        return one.members.allSatisfy { other[$0.name] == $0.value }
    }

    /// Hashes the members so that their order does not matter.
    public func hash(into hasher: inout Hasher) {
        var sum = 0
        for member in members {
            var memberHasher = Hasher()
            memberHasher.combine(member.name)
            memberHasher.combine(member.value)
            sum &+= memberHasher.finalize()
        }
        hasher.combine(sum)
    }
}

/// Whether two texts are the same code point by code point.
func hasSameCodePoints(_ one: String, _ other: String) -> Bool {
    // The standard library's quick comparison takes canonically equivalent texts for equal. No text but the same one is
    // equivalent to an ASCII text of its length, and ASCII is what takes as many bytes in UTF-8 as units in UTF-16.
    one.utf8.count == other.utf8.count && one == other
        && (one.utf8.count == one.utf16.count || one.utf8.elementsEqual(other.utf8))
}
