import Foundation

/// A listener on a free loopback port that accepts connections and sends nothing.
final class SilentServer {
    private let listener: Int32
    /// Its URL.
    let url: String

    init() throws { (listener, url) = try OneAnswer.listen() }

    deinit { close(listener) }
}

/// An HTTP server that answers one request.
struct OneAnswer {
    /// Its URL.
    let url: String

    /// Listens on a free loopback port.
    init(type: String, body: [UInt8]) throws {
        let listener: Int32
        (listener, url) = try Self.listen()
        let head =
            "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nContent-Length: \(body.count)\r\nConnection: close\r\n\r\n"
        let answer = Array(head.utf8) + body
        Thread.detachNewThread {
            let connection = accept(listener, nil, nil)
            var request = [UInt8](repeating: 0, count: 4096)
            _ = read(connection, &request, request.count)
            _ = write(connection, answer, answer.count)
            close(connection)
            close(listener)
        }
    }

    fileprivate static func listen() throws -> (listener: Int32, url: String) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(listener, pointer, length) == 0 && Foundation.listen(listener, 1) == 0
                    && getsockname(listener, pointer, &length) == 0
            }
        }
        guard status else { throw CocoaError(.fileNoSuchFile) }
        return (listener, "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/picture")
    }
}
