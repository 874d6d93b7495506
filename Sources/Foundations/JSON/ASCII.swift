public enum ASCII {
    @inlinable public static var tab: UInt8 { 0x09 }
    @inlinable public static var lineFeed: UInt8 { 0x0A }
    @inlinable public static var carriageReturn: UInt8 { 0x0D }
    @inlinable public static var space: UInt8 { 0x20 }
    @inlinable public static var quote: UInt8 { 0x22 }
    @inlinable public static var plus: UInt8 { 0x2B }
    @inlinable public static var comma: UInt8 { 0x2C }
    @inlinable public static var minus: UInt8 { 0x2D }
    @inlinable public static var point: UInt8 { 0x2E }
    @inlinable public static var zero: UInt8 { 0x30 }
    @inlinable public static var nine: UInt8 { 0x39 }
    @inlinable public static var colon: UInt8 { 0x3A }
    @inlinable public static var leftBracket: UInt8 { 0x5B }
    @inlinable public static var backslash: UInt8 { 0x5C }
    @inlinable public static var rightBracket: UInt8 { 0x5D }
    @inlinable public static var leftBrace: UInt8 { 0x7B }
    @inlinable public static var rightBrace: UInt8 { 0x7D }

    /// Accepts either case.
    @inlinable @inline(__always)
    public static func hexValue(_ byte: UInt8) -> UInt32? {
        switch byte {
        case 0x30...0x39: UInt32(byte) - 0x30
        case 0x41...0x46: UInt32(byte) - 0x37
        case 0x61...0x66: UInt32(byte) - 0x57
        default: nil
        }
    }
}
