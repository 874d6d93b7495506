internal import COpenSSL

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
