internal import Foundation

/// Shows values unless marked private or sensitive, as iOS does with a debugger attached.
public struct OSLogMessage: ExpressibleByStringInterpolation, Sendable {
    let text: String

    public init(stringLiteral value: String) { text = value }
    public init(stringInterpolation: OSLogInterpolation) { text = stringInterpolation.text }
}

public struct OSLogInterpolation: StringInterpolationProtocol, Sendable {
    var text = ""

    public init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity * 2) }

    public mutating func appendLiteral(_ literal: String) { text += literal }

    public mutating func appendInterpolation<Value>(
        _ value: @autoclosure () -> Value, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) {
        append("\(value())", align, privacy)
    }

    public mutating func appendInterpolation<Value: BinaryInteger>(
        _ value: @autoclosure () -> Value, format: OSLogIntegerFormatting = .decimal,
        align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) {
        let number = value()
        append((format.prefix) + String(number, radix: format.radix, uppercase: format.isUppercase), align, privacy)
    }

    public mutating func appendInterpolation<Value: BinaryFloatingPoint>(
        _ value: @autoclosure () -> Value, format: OSLogFloatFormatting = .fixed,
        align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) {
        append(String(format: "%.\(format.precision)f", Double(value())), align, privacy)
    }

    private mutating func append(_ value: String, _ alignment: OSLogStringAlignment, _ privacy: OSLogPrivacy) {
        text += alignment.applied(to: privacy.isHidden ? "<private>" : value)
    }
}

public struct OSLogPrivacy: Sendable {
    var isHidden: Bool

    public enum Mask: Sendable { case hash, none }

    public static var auto: Self { Self(isHidden: false) }
    public static var `public`: Self { Self(isHidden: false) }
    public static var `private`: Self { Self(isHidden: true) }
    public static var sensitive: Self { Self(isHidden: true) }
    public static func auto(mask: Mask) -> Self { .auto }
    public static func `private`(mask: Mask) -> Self { .private }
    public static func sensitive(mask: Mask) -> Self { .sensitive }
}

public struct OSLogStringAlignment: Sendable {
    var width: Int

    public static var none: Self { Self(width: 0) }
    public static func left(columns: @autoclosure () -> Int) -> Self { Self(width: -columns()) }
    public static func right(columns: @autoclosure () -> Int) -> Self { Self(width: columns()) }

    func applied(to text: String) -> String {
        let padding = String(repeating: " ", count: max(0, abs(width) - text.count))
        return width < 0 ? text + padding : padding + text
    }
}

public struct OSLogIntegerFormatting: Sendable {
    var radix: Int
    var prefix = ""
    var isUppercase = false

    public static var decimal: Self { Self(radix: 10) }
    public static var hex: Self { Self(radix: 16) }
    public static var octal: Self { Self(radix: 8) }
    public static func hex(explicitPositiveSign: Bool = false, includePrefix: Bool = false, uppercase: Bool = false)
        -> Self
    {
        Self(radix: 16, prefix: includePrefix ? "0x" : "", isUppercase: uppercase)
    }
}

public struct OSLogFloatFormatting: Sendable {
    var precision: Int

    public static var fixed: Self { Self(precision: 6) }
    public static func fixed(precision: @autoclosure () -> Int) -> Self { Self(precision: precision()) }
}
