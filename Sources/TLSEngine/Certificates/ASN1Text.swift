internal import COpenSSL
internal import Glibc

enum ASN1Text {
    static func bytes(_ value: UnsafePointer<ASN1_STRING>?) -> [UInt8] {
        Array(UnsafeBufferPointer(start: ASN1_STRING_get0_data(value), count: Int(ASN1_STRING_length(value))))
    }

    /// Converts any string type to UTF-8.
    static func string(_ value: UnsafePointer<ASN1_STRING>?) -> String? {
        var bytes: UnsafeMutablePointer<UInt8>?
        let count = ASN1_STRING_to_UTF8(&bytes, value)
        guard count >= 0, let bytes else { return nil }
        defer { CRYPTO_free(bytes, nil, 0) }
        return String(decoding: UnsafeBufferPointer(start: bytes, count: Int(count)), as: UTF8.self)
    }
}

enum IPAddressText {
    /// - Returns: 4 or 16 bytes; nil when the text is not an address.
    static func bytes(_ text: String) -> [UInt8]? {
        guard let value = a2i_IPADDRESS(text) else { return nil }
        defer { ASN1_OCTET_STRING_free(value) }
        return ASN1Text.bytes(value)
    }

    /// - Parameter bytes: 4 or 16 bytes.
    static func text(_ bytes: [UInt8]) -> String? {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        return inet_ntop(bytes.count == 4 ? AF_INET : AF_INET6, bytes, &text, socklen_t(text.count))
            .map { String(cString: $0) }
    }
}
