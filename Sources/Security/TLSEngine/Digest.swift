internal import COpenSSL

/// FIPS 180-4.
package enum SHA256 {
    /// 32 bytes.
    package static func digest(_ bytes: RawSpan) -> [UInt8] {
        bytes.withUnsafeBytes { input in
            [UInt8](unsafeUninitializedCapacity: 32) { output, count in
                var written: UInt32 = 0
                EVP_Digest(input.baseAddress, input.count, output.baseAddress, &written, EVP_sha256(), nil)
                count = Int(written)
            }
        }
    }

    /// Of the parts, one after the other; 32 bytes.
    package static func digest(of parts: some Sequence<[UInt8]>) -> [UInt8] {
        let context = EVP_MD_CTX_new()
        defer { EVP_MD_CTX_free(context) }
        EVP_DigestInit_ex(context, EVP_sha256(), nil)
        for part in parts { part.withUnsafeBytes { _ = EVP_DigestUpdate(context, $0.baseAddress, $0.count) } }
        return [UInt8](unsafeUninitializedCapacity: 32) { output, count in
            var written: UInt32 = 0
            EVP_DigestFinal_ex(context, output.baseAddress, &written)
            count = Int(written)
        }
    }
}

/// RFC 2104, with SHA-256.
package enum HMACSHA256 {
    /// 32 bytes.
    package static func code(of bytes: RawSpan, key: RawSpan) -> [UInt8] {
        bytes.withUnsafeBytes { input in
            key.withUnsafeBytes { key in
                [UInt8](unsafeUninitializedCapacity: 32) { output, count in
                    var written: UInt32 = 0
                    HMAC(
                        EVP_sha256(), key.baseAddress, Int32(key.count), input.baseAddress, input.count,
                        output.baseAddress, &written)
                    count = Int(written)
                }
            }
        }
    }
}

extension [UInt8] {
    /// Two lower-case digits a byte.
    package var hexadecimal: String { map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}

package enum ConstantTime {
    package static func equals(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
    }
}

package enum SecureRandom {
    package static func bytes(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            RAND_bytes(buffer.baseAddress, Int32(count))
            initialized = count
        }
    }
}
