package import NIOCore

/// Splits what arrives in pieces into lines.
package struct LineSplitter {
    package struct TooLong: Error {}

    private var rest = ByteBuffer()
    /// How much of `rest` is known to have no line break.
    private var searchedByteCount = 0
    private let maximumByteCount: Int

    /// - Parameter maximumByteCount: the longest line, without its end.
    package init(maximumByteCount: Int) { self.maximumByteCount = maximumByteCount }

    package mutating func append(_ bytes: inout ByteBuffer) {
        if rest.readableBytes == 0 {
            rest = bytes
        } else {
            rest.discardReadBytes()
            rest.writeBuffer(&bytes)
        }
    }

    /// The next complete line, without its end; nil when there is none yet.
    package mutating func next() throws(TooLong) -> [UInt8]? {
        let view = rest.readableBytesView
        let start = view.startIndex + searchedByteCount
        guard let end = view[start...].firstIndex(of: UInt8(ascii: "\n")) else {
            searchedByteCount = view.count
            guard view.count <= maximumByteCount else { throw TooLong() }
            return nil
        }
        searchedByteCount = 0
        let count = end - view.startIndex
        guard count <= maximumByteCount else { throw TooLong() }
        let line = rest.readBytes(length: count)
        rest.moveReaderIndex(forwardBy: 1)
        return line
    }

    /// What is left at the end; nil when there is nothing.
    package mutating func remainder() -> [UInt8]? {
        searchedByteCount = 0
        return rest.readableBytes == 0 ? nil : rest.readBytes(length: rest.readableBytes)
    }
}
