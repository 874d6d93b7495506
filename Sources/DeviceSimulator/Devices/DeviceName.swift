/// What a device may be called.
package enum DeviceName {
    package static let maximumByteCount = 128
    /// For people.
    package static let rule = "1 to \(maximumByteCount) bytes without '/' and control characters"

    /// Whether a name fits in a path and on a line.
    package static func isValid(_ name: String) -> Bool {
        (1...maximumByteCount).contains(name.utf8.count)
            && name.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "/") }
    }
}
