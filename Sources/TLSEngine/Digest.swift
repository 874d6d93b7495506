internal import COpenSSL

/// SHA-256 (FIPS 180-4).
public enum SHA256 {
    /// 32 bytes.
    public static func digest(_ bytes: RawSpan) -> [UInt8] {
        bytes.withUnsafeBytes { input in
            [UInt8](unsafeUninitializedCapacity: 32) { output, count in
                var written: UInt32 = 0
                EVP_Digest(input.baseAddress, input.count, output.baseAddress, &written, EVP_sha256(), nil)
                count = Int(written)
            }
        }
    }
}

/// Secrets compared without telling where they differ.
public enum ConstantTime {
    public static func equals(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
    }
}

/// Randomness for keys and serial numbers.
public enum SecureRandom {
    public static func bytes(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            RAND_bytes(buffer.baseAddress, Int32(count))
            initialized = count
        }
    }
}
