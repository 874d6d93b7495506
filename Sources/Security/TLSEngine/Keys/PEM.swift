internal import COpenSSL

enum PEM {
    static func withReader<Result>(_ text: String, _ body: (OpaquePointer) -> Result) -> Result {
        // OpenSSL rejects an empty buffer.
        var text = text.isEmpty ? "\n" : text
        return text.withUTF8 { bytes in
            let bio = BIO_new_mem_buf(UnsafeRawPointer(bytes.baseAddress), Int32(bytes.count))!
            defer { BIO_free(bio) }
            return body(bio)
        }
    }

    static func write(_ body: (OpaquePointer) -> Void) -> [UInt8] {
        let bio = BIO_new(BIO_s_mem())!
        defer { BIO_free(bio) }
        body(bio)
        var data: UnsafeMutablePointer<CChar>?
        let count = shim_BIO_get_mem_data(bio, &data)
        return UnsafeRawBufferPointer(start: data, count: count).map { $0 }
    }

    static func text(_ body: (OpaquePointer) -> Void) -> String { String(decoding: write(body), as: UTF8.self) }
}
