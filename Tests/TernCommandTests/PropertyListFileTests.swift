import Foundation
import Tern
import Testing

@testable import TernCommand

@Suite("Property lists in files")
struct PropertyListFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func file(_ bytes: Data) throws -> String {
        let path = folder.path + "/Info.plist"
        try bytes.write(to: URL(fileURLWithPath: path))
        return path
    }

    private func problem(_ path: String, option: String = "--info-plist") -> (field: String, problem: String)? {
        let error = #expect(throws: TernError.self) { try PropertyListFile.read(path, option: option) }
        guard case .invalidConfiguration(let field, let problem) = error?.reason else { return nil }
        return (field, problem)
    }

    @Test("Both forms are read", arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
    func forms(format: PropertyListSerialization.PropertyListFormat) throws {
        let object: [String: Any] = ["CFBundleIdentifier": "com.example.app", "list": ["ä", true]]
        let path = try file(try PropertyListSerialization.data(fromPropertyList: object, format: format, options: 0))
        let value = try PropertyListFile.read(path, option: "--info-plist")
        #expect(value == ["CFBundleIdentifier": "com.example.app", "list": ["ä", true]])
    }

    @Test("An error names the option and says what is wrong", arguments: ["--info-plist", "--entitlements"])
    func errors(option: String) throws {
        let missing = problem(folder.path + "/none", option: option)
        #expect(missing?.field == option)
        #expect(missing?.problem == "it cannot be read")
        let page = problem(try file(Data("<html></html>".utf8)), option: option)
        #expect(page?.field == option)
        #expect(page?.problem == "it is no property list, as XML or binary")
    }

    @Test("Lists that lie in each other without end are refused, as XML and as a binary list that holds itself")
    func depth() throws {
        let count = 50_000
        let xml = "<plist>" + String(repeating: "<array>", count: count) + String(repeating: "</array>", count: count)
        #expect(problem(try file(Data((xml + "</plist>").utf8)))?.problem == "it is nested too deeply")
        let fits = String(repeating: "<array>", count: 20) + String(repeating: "</array>", count: 20)
        #expect(
            try PropertyListFile.read(try file(Data("<plist>\(fits)</plist>".utf8)), option: "--info-plist").array
                != nil)
        // The magic, an array of one reference to object 0, the table of offsets, and the trailer.
        let trailer: [UInt8] = [
            0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10,
        ]
        let binary = Array("bplist00".utf8) + [0xA1, 0x00, 0x08] + trailer
        #expect(problem(try file(Data(binary))) != nil)
    }

    @Test("A file above the limit is not read")
    func size() throws {
        let text = "<plist><true/></plist>"
        let spaces = Data(repeating: 0x20, count: SmallFile.maximumByteCount - text.utf8.count)
        #expect(try PropertyListFile.read(try file(spaces + Data(text.utf8)), option: "--info-plist") == true)
        #expect(problem(try file(Data([0x20]) + spaces + Data(text.utf8)))?.problem == "it cannot be read")
    }
}
