internal import COpenSSL

/// What OpenSSL's callbacks of one connection read and write.
struct ConnectionState {
    /// Ciphertext of the call that is running; borrowed from the caller until it returns.
    var input: UnsafeRawBufferPointer = .init(start: nil, count: 0)
    /// Ciphertext to send.
    var output: [UInt8] = []
    /// Handshakes that began after the handshake: KeyUpdate (RFC 8446 §4.6.3), or a renegotiation that was refused.
    var lateHandshakeCount = 0
    /// The client's ALPN list.
    var offeredProtocols: [String] = []

    /// The state that belongs to an `SSL`; the connection frees it after the `SSL`.
    static func of(_ ssl: OpaquePointer?) -> UnsafeMutablePointer<ConnectionState> {
        SSL_get_ex_data(ssl, 0).assumingMemoryBound(to: ConnectionState.self)
    }
}

/// A BIO that reads what the caller of `receive` lent, and collects what is to be sent. Nothing is kept in between.
enum TransportBIO {
    /// Made once; OpenSSL never changes it.
    ///
    /// `nonisolated(unsafe)`: written by the one-time initialisation, read afterwards.
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
