internal import COpenSSL

/// One TLS connection without I/O. Not `Sendable`; the event loop that accepted the connection owns it.
package final class TLSConnection {
    let ssl: OpaquePointer
    private let state: UnsafeMutablePointer<ConnectionState>
    private let context: TLSContext?
    private var handshakeByteCount = 0
    /// nil until the handshake is done.
    package private(set) var handshake: TLSHandshake?
    /// Whether `handshake` is set; testing that directly copies it.
    private var isEstablished = false

    /// The name that the client asks for, if the certificate has it not.
    package var missingName: String? {
        guard let name = SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name), let certificate = SSL_get_certificate(ssl),
            X509_check_host(certificate, name, 0, 0, nil) == 0
        else { return nil }
        return String(cString: name)
    }

    /// Handshake messages from the peer and alerts to it, after the first handshake.
    package var lateHandshakeCount: Int { state.pointee.lateHandshakeCount }

    /// One full record of plaintext.
    private static let readByteCount = 16384
    /// A client's limit. Java updates keys most often, every 128 GiB; an update costs as much as 100 requests' records.
    private static let lateHandshakes = 100

    /// Throws when out of memory.
    package convenience init(context: TLSContext) throws(TLSError) {
        try self.init(context.pointer, context: context)
        SSL_set_accept_state(ssl)
    }

    /// The caller chooses the client or server side.
    init(_ pointer: OpaquePointer, context: TLSContext?) throws(TLSError) {
        guard let ssl = SSL_new(pointer) else { throw TLSError(.handshakeFailed, reasons: OpenSSLErrors.drain()) }
        self.ssl = ssl
        self.context = context
        state = .allocate(capacity: 1)
        state.initialize(to: ConnectionState())
        SSL_set_ex_data(ssl, 0, state)
        let bio = TransportBIO.make(state)
        SSL_set_bio(ssl, bio, bio)  // consumes the one reference
    }

    deinit {
        SSL_free(ssl)
        state.deinitialize(count: 1)
        state.deallocate()
    }

    /// Appends to `plaintext`. After an error, the output may hold an alert for the peer.
    package func receive(_ ciphertext: RawSpan, into plaintext: inout [UInt8]) throws(TLSError) -> TLSProgress {
        try ciphertext.withUnsafeBytes { bytes throws(TLSError) in
            if !isEstablished { try admitHandshakeBytes(bytes) }
            state.pointee.input = bytes
            defer { state.pointee.input = .init(start: nil, count: 0) }
            return try read(into: &plaintext)
        }
    }

    package func send(_ plaintext: RawSpan) throws(TLSError) {
        guard !plaintext.isEmpty else { return }
        OpenSSLErrors.clear()
        state.pointee.output.reserveCapacity(
            state.pointee.output.count + plaintext.byteCount + plaintext.byteCount / 256 + 64)
        // The output is unlimited, so a write is complete or fails.
        let status = plaintext.withUnsafeBytes { SSL_write(ssl, $0.baseAddress, Int32($0.count)) }
        guard status > 0 else { throw TLSError(.protocolViolation, reasons: OpenSSLErrors.drain()) }
    }

    package func takeOutput() -> [UInt8] {
        guard !state.pointee.output.isEmpty else { return [] }
        defer { state.pointee.output = [] }
        return state.pointee.output
    }

    /// Queues close_notify.
    package func close() {
        guard isEstablished else { return }
        OpenSSLErrors.clear()
        SSL_shutdown(ssl)
    }

    private func admitHandshakeBytes(_ bytes: UnsafeRawBufferPointer) throws(TLSError) {
        let isFirst = handshakeByteCount == 0
        handshakeByteCount += bytes.count
        guard let context else { return }
        // TLS starts with a handshake record, type 22 (RFC 8446 §5.1).
        if isFirst, let first = bytes.first, first != 22 { throw TLSError(.clearText(Array(bytes.prefix(64)))) }
        guard handshakeByteCount <= context.maximumHandshakeByteCount else { throw TLSError(.handshakeTooLong) }
    }

    private func read(into plaintext: inout [UInt8]) throws(TLSError) -> TLSProgress {
        while true {
            OpenSSLErrors.clear()
            let status = plaintext.appendThroughPointer(atMost: Self.readByteCount) { SSL_read(ssl, $0, $1) }
            if !isEstablished, SSL_is_init_finished(ssl) == 1 { try finishHandshake() }
            guard !isEstablished || lateHandshakeCount <= Self.lateHandshakes else { throw TLSError(.handshakeFlood) }
            if status > 0 {
                // Another SSL_read would only return SSL_ERROR_WANT_READ, at the cost of a small record.
                if isEstablished, state.pointee.input.isEmpty, SSL_has_pending(ssl) == 0 { return .open }
                continue
            }
            switch SSL_get_error(ssl, status) {
            case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return isEstablished ? .open : .handshaking
            case SSL_ERROR_ZERO_RETURN: return .closed
            default:
                if let error = missingProtocol { throw error }
                throw TLSError(isEstablished ? .protocolViolation : .handshakeFailed, reasons: OpenSSLErrors.drain())
            }
        }
    }

    /// The reason for a handshake that failed because ALPN was refused.
    private var missingProtocol: TLSError? {
        let offered = state.pointee.offeredProtocols
        guard !isEstablished, !offered.isEmpty, !offered.contains("h2") else { return nil }
        OpenSSLErrors.clear()
        return TLSError(.noApplicationProtocol(offered: offered))
    }

    private func finishHandshake() throws(TLSError) {
        let offered = state.pointee.offeredProtocols
        if let context, !context.acceptsMissingALPN, offered.isEmpty {
            throw TLSError(.noApplicationProtocol(offered: []))
        }
        var selected: UnsafePointer<UInt8>?
        var selectedCount: UInt32 = 0
        SSL_get0_alpn_selected(ssl, &selected, &selectedCount)
        let serverName = SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name)
        handshake = TLSHandshake(
            version: String(cString: SSL_get_version(ssl)),
            cipher: String(cString: SSL_CIPHER_get_name(SSL_get_current_cipher(ssl))),
            serverName: serverName.map { String(cString: $0) }, offeredProtocols: offered,
            selectedProtocol: selected.map {
                String(decoding: UnsafeBufferPointer(start: $0, count: Int(selectedCount)), as: UTF8.self)
            },
            isResumed: SSL_session_reused(ssl) == 1, clientCertificate: ClientCertificate(of: ssl))
        isEstablished = true
        state.pointee.offeredProtocols = []
        state.pointee.lateHandshakeCount = 0
    }
}

extension [UInt8] {
    /// `read` may write `limit` bytes and returns how many it wrote, or OpenSSL's error, which is not positive.
    fileprivate mutating func appendThroughPointer(
        atMost limit: Int, _ read: (UnsafeMutableRawPointer, Int32) -> Int32
    ) -> Int32 {
        var status: Int32 = 0
        append(addingCapacity: limit) { span in
            span.withUnsafeMutableBufferPointer { buffer, initialized in
                status = read(UnsafeMutableRawPointer(buffer.baseAddress! + initialized), Int32(limit))
                initialized += Swift.max(0, Int(status))
            }
        }
        return status
    }
}

package struct TLSHandshake: Sendable, Equatable {
    /// `TLSv1.2` or `TLSv1.3`.
    package var version: String
    package var cipher: String
    /// SNI.
    package var serverName: String?
    /// ALPN; empty when the client sent none.
    package var offeredProtocols: [String]
    /// `h2` or nil.
    package var selectedProtocol: String?
    /// The client resumed a session with a ticket.
    package var isResumed: Bool
    package var clientCertificate: ClientCertificate?
}

package enum TLSProgress: Sendable, Equatable {
    case handshaking
    case open
    /// The peer sent close_notify.
    case closed
}

/// The state that OpenSSL's callbacks share with a connection.
struct ConnectionState {
    /// Ciphertext borrowed from the caller of `receive` until it returns.
    var input: UnsafeRawBufferPointer = .init(start: nil, count: 0)
    var output: [UInt8] = []
    /// KeyUpdates (RFC 8446 §4.6.3) and refused renegotiations after the handshake.
    var lateHandshakeCount = 0
    /// ALPN.
    var offeredProtocols: [String] = []

    /// The connection frees this state after the `SSL`.
    static func of(_ ssl: OpaquePointer?) -> UnsafeMutablePointer<ConnectionState> {
        SSL_get_ex_data(ssl, 0).assumingMemoryBound(to: ConnectionState.self)
    }
}

/// A BIO that reads the bytes passed to `receive` and collects output. It buffers no input.
enum TransportBIO {
    /// `nonisolated(unsafe)`: initialized once, then only read.
    nonisolated(unsafe) private static let method: OpaquePointer = {
        let method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "pushcote")!
        BIO_meth_set_read(method) { bio, target, count in
            shim_BIO_clear_retry_flags(bio)
            let state = BIO_get_data(bio).assumingMemoryBound(to: ConnectionState.self)
            let available = min(Int(count), state.pointee.input.count)
            guard available > 0, let target else {
                shim_BIO_set_retry_read(bio)
                return -1
            }
            UnsafeMutableRawPointer(target).copyMemory(from: state.pointee.input.baseAddress!, byteCount: available)
            state.pointee.input = UnsafeRawBufferPointer(rebasing: state.pointee.input[available...])
            return Int32(available)
        }
        BIO_meth_set_write(method) { bio, source, count in
            shim_BIO_clear_retry_flags(bio)
            let state = BIO_get_data(bio).assumingMemoryBound(to: ConnectionState.self)
            state.pointee.output.append(contentsOf: UnsafeRawBufferPointer(start: source, count: Int(count)))
            return count
        }
        BIO_meth_set_ctrl(method) { _, command, _, _ in command == BIO_CTRL_FLUSH ? 1 : 0 }
        return method
    }()

    static func make(_ state: UnsafeMutablePointer<ConnectionState>) -> OpaquePointer? {
        let bio = BIO_new(method)
        BIO_set_data(bio, state)
        BIO_set_init(bio, 1)
        return bio
    }
}
