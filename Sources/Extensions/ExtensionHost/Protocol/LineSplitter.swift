package import NIOCore

package struct LineSplitter {
    package struct TooLong: Error {}

    private var rest = ByteBuffer()
    /// The start of `rest` known to have no line break.
    private var searchedByteCount = 0
    private let maximumByteCount: Int

    /// - Parameter maximumByteCount: The longest line, without its line break.
    package init(maximumByteCount: Int) { self.maximumByteCount = maximumByteCount }

    package mutating func append(_ bytes: inout ByteBuffer) {
        if rest.readableBytes == 0 {
            rest = bytes
        } else {
            rest.discardReadBytes()
            rest.writeBuffer(&bytes)
        }
    }

    /// The next complete line without its line break; nil if there is none yet.
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

    package mutating func remainder() -> [UInt8]? {
        searchedByteCount = 0
        return rest.readableBytes == 0 ? nil : rest.readBytes(length: rest.readableBytes)
    }
}
