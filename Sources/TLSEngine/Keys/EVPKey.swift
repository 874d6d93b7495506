internal import COpenSSL

/// Owns an OpenSSL key.
///
/// `@unchecked Sendable`: the key is never changed after `init`, and OpenSSL's reads of one are safe from any thread.
final class EVPKey: @unchecked Sendable {
    let pointer: OpaquePointer

    /// Takes ownership.
    init(_ pointer: OpaquePointer) { self.pointer = pointer }

    deinit { EVP_PKEY_free(pointer) }

    var isP256: Bool {
        var name = [CChar](repeating: 0, count: 64)
        guard EVP_PKEY_get_group_name(pointer, &name, name.count, nil) == 1 else { return false }
        let text = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return text == "prime256v1" || text == "P-256"
    }
}
