internal import COpenSSL

/// Bytes and texts out of ASN.1 values.
enum ASN1Text {
    static func bytes(_ value: UnsafePointer<ASN1_STRING>?) -> [UInt8] {
        Array(UnsafeBufferPointer(start: ASN1_STRING_get0_data(value), count: Int(ASN1_STRING_length(value))))
    }

    /// The text in UTF-8, whatever string type it has.
    static func string(_ value: UnsafePointer<ASN1_STRING>?) -> String? {
        var bytes: UnsafeMutablePointer<UInt8>?
        let count = ASN1_STRING_to_UTF8(&bytes, value)
        guard count >= 0, let bytes else { return nil }
        defer { CRYPTO_free(bytes, nil, 0) }
        return String(decoding: UnsafeBufferPointer(start: bytes, count: Int(count)), as: UTF8.self)
    }
}
