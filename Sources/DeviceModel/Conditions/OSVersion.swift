internal import Fields

/// A version of iOS.
package struct OSVersion: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let major: Int
    package let minor: Int

    package init(_ major: Int, _ minor: Int = 0) { (self.major, self.minor) = (major, minor) }

    package static func < (left: Self, right: Self) -> Bool { (left.major, left.minor) < (right.major, right.minor) }

    package var description: String { "\(major).\(minor)" }
}

extension FieldFormat {
    static var osVersion: FieldFormat<OSVersion> {
        text(
            "a version of iOS as a text, such as \"17.2\"",
            form: TextForm(pattern: #"^(0|[1-9][0-9]{0,2})\.(0|[1-9][0-9]{0,2})$"#),
            read: { text in
                let numbers = text.split(separator: ".").compactMap { Int($0) }
                guard numbers.count == 2, numbers.allSatisfy((0..<1000).contains) else { return nil }
                let version = OSVersion(numbers[0], numbers[1])
                return version.description == text ? version : nil
            },
            write: \.description)
    }
}
