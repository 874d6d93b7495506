internal import COpenSSL
internal import Glibc

/// `@unchecked Sendable`: immutable after `init`; OpenSSL locks the caches it fills on reads.
package final class Certificate: @unchecked Sendable {
    let pointer: OpaquePointer

    /// Takes ownership.
    init(_ pointer: OpaquePointer) { self.pointer = pointer }

    deinit { X509_free(pointer) }

    /// At least one certificate, in order. Throws `unusableCertificate`.
    package static func chain(pem: String) throws(TLSError) -> [Certificate] {
        OpenSSLErrors.clear()
        let chain = PEM.withReader(pem) { reader in
            var chain: [Certificate] = []
            while let pointer = PEM_read_bio_X509(reader, nil, nil, nil) { chain.append(Certificate(pointer)) }
            return chain
        }
        let reasons = OpenSSLErrors.drain()
        guard !chain.isEmpty else {
            let isText = !pem.contains("-----BEGIN CERTIFICATE-----")
            throw TLSError(.unusableCertificate, reasons: isText ? ["no '-----BEGIN CERTIFICATE-----' in it"] : reasons)
        }
        // The end of the text causes one "no start line"; any other reason means that a later certificate is damaged.
        guard reasons.allSatisfy({ $0 == "no start line" }) else {
            throw TLSError(.unusableCertificate, reasons: reasons)
        }
        return chain
    }

    package var pem: String { PEM.text { PEM_write_bio_X509($0, pointer) } }

    /// SHA-256 over DER, in upper-case hexadecimal with colons, as OpenSSL prints it.
    package var fingerprint: String {
        var digest = [UInt8](repeating: 0, count: 32)
        var count: UInt32 = 32
        X509_digest(pointer, EVP_sha256(), &digest, &count)
        return digest.map { [$0].hexadecimal.uppercased() }.joined(separator: ":")
    }

    /// Seconds since 1970.
    package var notBefore: Int64 { Self.seconds(X509_get0_notBefore(pointer)) }

    /// Seconds since 1970.
    package var notAfter: Int64 { Self.seconds(X509_get0_notAfter(pointer)) }

    /// In RFC 2253 form, most specific first.
    package var subject: String { Self.text(X509_get_subject_name(pointer)) }
    package var issuer: String { Self.text(X509_get_issuer_name(pointer)) }

    /// Whether this is a CA that a gateway generated.
    package var isGatewaysAuthority: Bool { Self.isGatewaysAuthority(X509_get_subject_name(pointer)) }

    /// Whether a CA that a gateway generated signed this certificate.
    package var isOfGatewaysAuthority: Bool { Self.isGatewaysAuthority(X509_get_issuer_name(pointer)) }

    private static func isGatewaysAuthority(_ name: OpaquePointer?) -> Bool {
        value(NID_organizationName, of: name) == "Pushcote"
            && value(NID_commonName, of: name)?.hasPrefix(CertificateAuthority.commonNamePrefix) == true
    }

    package func belongs(to key: P256PrivateKey) -> Bool { key.key.matches(self) }

    func subjectValue(_ identifier: Int32) -> String? { Self.value(identifier, of: X509_get_subject_name(pointer)) }

    private static func value(_ identifier: Int32, of name: OpaquePointer?) -> String? {
        let index = X509_NAME_get_index_by_NID(name, identifier, -1)
        guard index >= 0 else { return nil }
        return ASN1Text.string(X509_NAME_ENTRY_get_data(X509_NAME_get_entry(name, index)))
    }

    /// DNS names and addresses.
    package var alternativeNames: [String] {
        guard let names = X509_get_ext_d2i(pointer, NID_subject_alt_name, nil, nil) else { return [] }
        let list = OpaquePointer(names)
        defer { GENERAL_NAMES_free(list) }
        return (0..<shim_sk_GENERAL_NAME_num(list)).compactMap { index in
            var kind: Int32 = 0
            let value = GENERAL_NAME_get0_value(shim_sk_GENERAL_NAME_value(list, index), &kind)
            guard let value else { return nil }
            let bytes = ASN1Text.bytes(value.assumingMemoryBound(to: ASN1_STRING.self))
            switch kind {
            case GEN_DNS: return String(decoding: bytes, as: UTF8.self)
            case GEN_IPADD: return IPAddressText.text(bytes)
            default: return nil
            }
        }
    }

    /// - Parameter identifier: In dotted decimal form.
    func extensionValue(_ identifier: String) -> [UInt8]? {
        let object = OBJ_txt2obj(identifier, 1)
        defer { ASN1_OBJECT_free(object) }
        let index = X509_get_ext_by_OBJ(pointer, object, -1)
        guard index >= 0 else { return nil }
        return ASN1Text.bytes(X509_EXTENSION_get_data(X509_get_ext(pointer, index)))
    }

    /// Why the certificate does not verify; nil when it does. `now` is in seconds since 1970.
    package func problem(
        issuedBy authorities: [Certificate], intermediates: [Certificate] = [], at now: Int64
    ) -> String? {
        let store = X509_STORE_new()
        let context = X509_STORE_CTX_new()
        let untrusted = shim_sk_X509_new()
        defer {
            X509_STORE_CTX_free(context)
            X509_STORE_free(store)
            shim_sk_X509_free(untrusted)
            OpenSSLErrors.clear()
        }
        for authority in authorities { X509_STORE_add_cert(store, authority.pointer) }
        for certificate in intermediates { _ = shim_sk_X509_push(untrusted, certificate.pointer) }
        X509_STORE_CTX_init(context, store, pointer, untrusted)
        X509_STORE_CTX_set_time(context, 0, time_t(now))
        guard X509_verify_cert(context) != 1 else { return nil }
        return String(cString: X509_verify_cert_error_string(Int(X509_STORE_CTX_get_error(context))))
    }

    private static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64 {
        let epoch = ASN1_TIME_set(nil, 0)
        defer { ASN1_TIME_free(epoch) }
        var days: Int32 = 0
        var seconds: Int32 = 0
        ASN1_TIME_diff(&days, &seconds, epoch, time)
        return Int64(days) * 86400 + Int64(seconds)
    }

    private static func text(_ name: OpaquePointer?) -> String {
        PEM.text { X509_NAME_print_ex($0, name, 0, shim_XN_FLAG_RFC2253_UTF8()) }
    }
}

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
