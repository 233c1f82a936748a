import Testing

@testable import TernJOSE

@Suite("JSON values")
struct JSONValueTests {
    @Test(
        "Whole numbers are exact, also beyond 2^53",
        arguments: [
            ("9007199254740993", 9_007_199_254_740_993),
            ("9223372036854775807", Int64.max),
            ("-9223372036854775808", Int64.min),
            ("-9223372036854775808.0", Int64.min),
            ("0", 0), ("-0", 0), ("0e5", 0), ("0.00", 0),
            ("1.0e3", 1000), ("1E3", 1000), ("1.5e1", 15), ("1200e-2", 12), ("-1200e-2", -12), ("3599.0", 3599),
            ("0.000000000000000001e18", 1),
        ] as [(String, Int64)])
    func integers(text: String, value: Int64) throws {
        #expect(try JSON(parsing: text).integer == value)
    }

    @Test(
        "Not every number is a whole one of 64 bits",
        arguments: [
            "1.5", "1e-1", "9223372036854775808", "-9223372036854775809", "1e19", "1e999999999999999999999", "12e-2",
            "1e-999999999999999999999",
        ])
    func noIntegers(text: String) throws {
        #expect(try JSON(parsing: text).integer == nil)
        #expect(try JSON(parsing: text).number?.text == text)
    }

    @Test(
        "Floating point",
        arguments: [
            ("1750003600.811", 1_750_003_600.811), ("1e3", 1000), ("-0.5", -0.5), ("1e308", 1e308), ("1e-400", 0),
            ("12345678901234567890", 12_345_678_901_234_567_168), ("5", 5),
        ] as [(String, Double)])
    func doubles(text: String, value: Double) throws {
        #expect(try JSON(parsing: text).double == value)
    }

    @Test func beyondDouble() throws {
        #expect(try JSON(parsing: "1e999").double == nil)
        #expect(try JSON(parsing: "-1e999").double == nil)
        #expect(JSONNumber(Double.infinity) == nil)
        #expect(JSONNumber(Double.nan) == nil)
        #expect(JSONNumber(5.0)?.text == "5")
        #expect(JSONNumber(1_750_003_600.811)?.text == "1750003600.811")
        #expect(JSONNumber(1e300)?.text == "1e+300")
    }

    @Test("Access by type")
    func access() throws {
        let value = try JSON(parsing: #"{"s":"x","i":7,"b":true,"l":[1],"n":null,"o":{"k":"v"}}"#)
        #expect(value["s"]?.string == "x")
        #expect(value["i"]?.integer == 7)
        #expect(value["b"]?.bool == true)
        #expect(value["l"]?.array == [1])
        #expect(value["n"]?.isNull == true)
        #expect(value["o"]?["k"]?.string == "v")
        #expect(value["missing"] == nil)
        #expect(value["s"]?.integer == nil)
        #expect(value["i"]?.string == nil)
        #expect(value["n"]?.bool == nil)
        #expect(JSON.array([1])["s"] == nil)
    }

    @Test("Writing")
    func writing() throws {
        let value: JSON = ["b": [true, nil, 1.5, -3], "a": "q\" \\ / \n\r\t\u{1} é 😀", "o": [:]]
        #expect(value.text == #"{"b":[true,null,1.5,-3],"a":"q\" \\ / \n\r\t\u0001 é 😀","o":{}}"#)
        #expect(try JSON(parsing: value.serialized()) == value)
        let number = "[12345678901234567890123,1.0e3,-0.0]"
        #expect(try JSON(parsing: number).text == number)
    }

    @Test("Changing an object")
    func object() {
        var object = JSONObject(dictionaryLiteral: ("a", 1), ("b", 2), ("a", 3))
        #expect(object.names == ["a", "b"])
        #expect(object["a"] == 3)
        object["c"] = 4
        object["a"] = JSON.null
        object["b"] = nil
        #expect(object.names == ["a", "c"])
        #expect(object["a"] == JSON.null)
        #expect(object.removing("a", "x").names == ["c"])
        #expect(object.map(\.name) == ["a", "c"])
        #expect(object == ["c": 4, "a": nil])
        #expect(object.hashValue == (["c": 4, "a": nil] as JSONObject).hashValue)
        #expect(object != ["c": 4])
    }
}
