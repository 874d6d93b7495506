import TestSupport
import Testing

@testable import DeviceModel

@Suite struct PersonNameTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var what: String
        var shown: String
        var first: String
        var monogram: String
        var edit: @Sendable (inout Person) -> Void
        var testDescription: String { what }

        init(
            _ what: String, _ shown: String, _ first: String, _ monogram: String,
            _ edit: @escaping @Sendable (inout Person) -> Void
        ) { (self.what, self.shown, self.first, self.monogram, self.edit) = (what, shown, first, monogram, edit) }
    }

    static let rows = [
        Row("the display name", "@Neko", "@Neko", "N") { $0.displayName = "@Neko" },
        Row("the display name rather than the components", "@Neko", "John", "JA") {
            ($0.displayName, $0.givenName, $0.familyName) = ("@Neko", "John", "Appleseed")
        },
        Row("the components", "John Appleseed", "John", "JA") { ($0.givenName, $0.familyName) = ("John", "Appleseed") },
        Row("the given name alone", "John", "John", "J") { $0.givenName = "John" },
        Row("the family name alone", "Appleseed", "Appleseed", "A") { $0.familyName = "Appleseed" },
        Row("a Japanese name", "山田太郎", "太郎", "山") { ($0.givenName, $0.familyName) = ("太郎", "山田") },
        Row("a foreign name in kana", "ジョン Appleseed", "ジョン", "ジA") {
            ($0.givenName, $0.familyName) = ("ジョン", "Appleseed")
        },
        Row("two words", "Mary Ann Lee", "Mary", "MA") { $0.displayName = "Mary Ann Lee" },
        Row("the handle", "neko@example.com", "neko@example.com", "N") {
            $0.handle = .init(value: "neko@example.com", type: .emailAddress)
        },
        Row("the handle rather than empty components", "+1 415", "+1", "+4") {
            ($0.givenName, $0.familyName, $0.handle) = ("", "", .init(value: "+1 415", type: .phoneNumber))
        },
        Row("nothing", "", "", "") { _ in },
    ]

    @Test("D.1 a name falls back to its components, then to the handle", arguments: rows) func names(_ row: Row) {
        let person = Person.with(row.edit)
        #expect(person.shownName == row.shown)
        #expect(person.firstName == row.first)
        #expect(person.monogram == row.monogram)
    }
}
