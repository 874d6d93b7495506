internal import CNghttp2
internal import RequestWire

/// The reference for `HTTP2Session`: nghttp2's verdicts on a client's bytes when nghttp2 itself decodes and checks header
/// fields, which `HTTP2Session` does in its place.
package enum ReferenceSession {
    /// A client's requests and how its other streams ended, in the form of `SessionTranscript.verdicts`.
    package static func verdicts(on turns: [[UInt8]]) -> [String] {
        let record = Record()
        var (callbacks, option, made): (OpaquePointer?, OpaquePointer?, OpaquePointer?)
        nghttp2_session_callbacks_new(&callbacks)
        nghttp2_option_new(&option)
        // The same limits as `HTTP2Session`.
        nghttp2_option_set_no_rfc9113_leading_and_trailing_ws_validation(option, 1)
        nghttp2_option_set_no_closed_streams(option, 1)
        nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks) { _, frame, context in
            Record.from(context).fields[frame!.pointee.hd.stream_id, default: []] += []
            return 0
        }
        nghttp2_session_callbacks_set_on_header_callback(callbacks) {
            _, frame, name, nameCount, value, count, _, context in
            guard frame!.pointee.headers.cat == NGHTTP2_HCAT_REQUEST else { return 0 }
            let name = String(decoding: UnsafeBufferPointer(start: name, count: nameCount), as: UTF8.self)
            let value = String(decoding: UnsafeBufferPointer(start: value, count: count), as: UTF8.self)
            Record.from(context).fields[frame!.pointee.hd.stream_id, default: []].append((name, value))
            return 0
        }
        nghttp2_session_callbacks_set_on_invalid_header_callback(callbacks) { _, _, _, _, _, _, _, _ in 0 }
        nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { _, frame, context in
            let header = frame!.pointee.hd
            guard header.type <= FrameType.headers, header.flags & Flag.endStream != 0 else { return 0 }
            let record = Record.from(context)
            guard let fields = record.fields[header.stream_id] else { return 0 }
            // A request block omits a repeated token.
            let first = fields.firstIndex { $0.name == "authorization" }
            let texts = fields.enumerated().compactMap { index, field in
                field.name == "authorization" && index != first ? nil : "\(field.name): \(field.value)"
            }
            record.verdicts.append("\(header.stream_id): \(texts)")
            return 0
        }
        nghttp2_session_server_new2(&made, callbacks, Unmanaged.passUnretained(record).toOpaque(), option)
        nghttp2_session_callbacks_del(callbacks)
        nghttp2_option_del(option)
        defer { nghttp2_session_del(made) }
        nghttp2_submit_settings(made, 0, nil, 0)
        withExtendedLifetime(record) {
            for turn in [preface + frame(FrameType.settings, flags: Flag.ack)] + turns {
                guard nghttp2_session_mem_recv(made, turn, turn.count) >= 0 else { break }
                var bytes: UnsafePointer<UInt8>?
                var output: [UInt8] = []
                while case let count = nghttp2_session_mem_send(made, &bytes), count > 0 {
                    output += UnsafeBufferPointer(start: bytes, count: count)
                }
                record.verdicts += verdicts(in: output)
            }
        }
        return record.verdicts
    }

    /// The streams or the connection that a server ended, with their error codes. At the end of a connection nghttp2 forgets resets.
    static func verdicts(in output: [UInt8]) -> [String] {
        let frames = SentFrame.all(in: output)
        let ends = frames.filter { $0.type == FrameType.goAway }
        return (ends.isEmpty ? frames : ends).compactMap { frame in
            switch frame.type {
            case FrameType.reset: "\(frame.stream): \(frame.payload)"
            case FrameType.goAway: "GOAWAY \(frame.payload[4..<8])"
            default: nil
            }
        }
    }

    private final class Record {
        var fields: [Int32: [(name: String, value: String)]] = [:]
        var verdicts: [String] = []

        static func from(_ context: UnsafeMutableRawPointer?) -> Record {
            Unmanaged.fromOpaque(context!).takeUnretainedValue()
        }
    }
}

/// nghttp2's HPACK encoder, with a table of its own.
package final class ReferenceEncoder {
    private let deflater: OpaquePointer

    package init() {
        var made: OpaquePointer?
        precondition(nghttp2_hd_deflate_new(&made, 4096) == 0)
        deflater = made!
    }

    deinit { nghttp2_hd_deflate_del(deflater) }

    package func block(_ fields: [(String, String)]) -> [UInt8] {
        var text: [UInt8] = []
        let places = fields.map { name, value in
            defer { text += Array(name.utf8) + Array(value.utf8) }
            return (start: text.count, name: name.utf8.count, value: value.utf8.count)
        }
        var block = [UInt8](repeating: 0, count: 65536)
        let count = text.withUnsafeMutableBufferPointer { text in
            let pairs = places.map { place in
                let start = text.baseAddress.map { $0 + place.start }
                return nghttp2_nv(
                    name: start, value: start.map { $0 + place.name }, namelen: place.name, valuelen: place.value,
                    flags: 0)
            }
            return nghttp2_hd_deflate_hd(deflater, &block, block.count, pairs, pairs.count)
        }
        precondition(count >= 0)
        return Array(block[..<count])
    }
}
