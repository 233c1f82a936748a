internal import TernJOSE
internal import TernProtocol

/// The list of what goes wrong on purpose at a test server. Every fault that concerns a request takes part, in order.
public struct Faults: Sendable, ExpressibleByArrayLiteral {
    private var faults: [(fault: Fault, count: Int)] = []

    /// No faults.
    public init() {}

    /// The given faults.
    public init(arrayLiteral elements: Fault...) { faults = elements.map { ($0, 0) } }

    /// Adds a fault, which counts from now on.
    public mutating func add(_ fault: Fault) { faults.append((fault, 0)) }

    /// Takes all faults out.
    public mutating func removeAll() { faults = [] }

    /// The faults in their order.
    public var list: [Fault] { faults.map(\.fault) }

    /// Counts a request and says what happens to it.
    mutating func actions(for request: HTTPRequest, at endpoint: Endpoint) -> [FaultAction] {
        var actions: [FaultAction] = []
        for index in faults.indices where faults[index].fault.concerns(request, at: endpoint) {
            faults[index].count += 1
            if faults[index].fault.occurrence.includes(faults[index].count) {
                actions += faults[index].fault.actions
            }
        }
        return actions
    }
}
