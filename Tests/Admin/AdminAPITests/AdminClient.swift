import NIOCore
import NIOHTTP1
import NIOPosix

/// An answer of the admin API.
struct Answer: Sendable {
    var status: Int
    /// Lower-case names.
    var headers: [String: String]
    var body: [UInt8]

    /// The body without its trailing line feed.
    var text: String {
        let text = String(decoding: body, as: UTF8.self)
        return text.last == "\n" ? String(text.dropLast()) : text
    }
}

/// One HTTP/1.1 connection with sequential requests.
enum AdminClient {
    typealias Stream = NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>

    static func connect(to address: SocketAddress) async throws -> Stream {
        try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton).connect(to: address) { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHTTPClientHandlers()
                return try Stream(wrappingChannelSynchronously: channel)
            }
        }
    }

    /// Sends one request on a connection of its own.
    static func send(
        _ method: String, _ path: String, _ body: [UInt8] = [], headers: [(String, String)] = [],
        to address: SocketAddress
    ) async throws -> Answer {
        try await connect(to: address).executeThenClose { inbound, outbound in
            var parts = inbound.makeAsyncIterator()
            try await write(method, path, body, headers, to: outbound)
            return try await read(&parts)
        }
    }

    static func write(
        _ method: String, _ path: String, _ body: [UInt8] = [], _ headers: [(String, String)] = [],
        to outbound: NIOAsyncChannelOutboundWriter<HTTPClientRequestPart>
    ) async throws {
        var fields = HTTPHeaders(headers)
        if !fields.contains(name: "host") { fields.add(name: "Host", value: "localhost") }
        fields.add(name: "Content-Length", value: String(body.count))
        let head = HTTPRequestHead(version: .http1_1, method: HTTPMethod(rawValue: method), uri: path, headers: fields)
        try await outbound.write(.head(head))
        if !body.isEmpty { try await outbound.write(.body(.byteBuffer(ByteBuffer(bytes: body)))) }
        try await outbound.write(.end(nil))
    }

    static func read(
        _ parts: inout NIOAsyncChannelInboundStream<HTTPClientResponsePart>.AsyncIterator
    ) async throws -> Answer {
        var answer = Answer(status: 0, headers: [:], body: [])
        while let part = try await parts.next() {
            switch part {
            case .head(let head):
                answer.status = Int(head.status.code)
                for field in head.headers { answer.headers[field.name.lowercased()] = field.value }
            case .body(let buffer): answer.body += Array(buffer: buffer)
            case .end: return answer
            }
        }
        return answer
    }
}
