/// The colours of the picture, one set for light and one for dark surroundings; every ink can be read on its ground.
struct TracePalette: Sendable {
    let paper, card, ink, soft, line, accent, good, alarm, alarmGround: String
    /// The grounds of tags.
    let tints: [String]

    static let light = TracePalette(
        paper: "#f5f7f9", card: "#ffffff", ink: "#17212b", soft: "#4d5b69", line: "#c3ccd5", accent: "#0a5c8f",
        good: "#1b6e3c", alarm: "#a3201d", alarmGround: "#fdeeec",
        tints: [
            "#fde8c8", "#d5ecfb", "#dff3d4", "#ecdffb", "#fbdbe8", "#d0f1ec", "#f6f0bd", "#dce1fb", "#fbdcd2",
            "#e6ead6",
            "#e8dccd", "#d9e3e9",
        ])
    static let dark = TracePalette(
        paper: "#11171d", card: "#1a232c", ink: "#e7edf3", soft: "#a7b4c1", line: "#44525f", accent: "#7cc4f2",
        good: "#79d6a1", alarm: "#ffb0a6", alarmGround: "#38191a",
        tints: [
            "#553c10", "#153f5c", "#254a16", "#42286a", "#5b1f3a", "#0f4a42", "#4a4309", "#2b3270", "#5c2a17",
            "#3a4023",
            "#4a3a25", "#33424c",
        ])
    /// For paper: black on white, and tags by their frame alone.
    static let print = TracePalette(
        paper: "#ffffff", card: "#ffffff", ink: "#000000", soft: "#333333", line: "#999999", accent: "#000000",
        good: "#000000", alarm: "#000000", alarmGround: "#ffffff",
        tints: [String](repeating: "#ffffff", count: TracePalette.tintCount))

    static let tintCount = 12

    /// The colours by name.
    var named: [(name: String, colour: String)] {
        [
            ("paper", paper), ("card", card), ("ink", ink), ("soft", soft), ("line", line), ("accent", accent),
            ("good", good), ("alarm", alarm), ("alarm-ground", alarmGround),
        ] + tints.enumerated().map { ("tint-\($0.offset)", $0.element) }
    }

    /// The colours as custom properties of CSS.
    var properties: String { named.map { "--\($0.name):\($0.colour)" }.joined(separator: ";") }
}
