/// How a callback reached the application.
public enum CallbackDelivery: Sendable, Hashable {
    /// Handed over by the system to this sign-in alone, as a web authentication session does.
    case system
    /// Through an address that anybody on the device can call: loopback, or a scheme.
    case open
    /// Typed or pasted by the user.
    case pasted
}
