internal import COpenSSL

/// The fields of a client's certificate, verified or not.
package struct ClientCertificate: Sendable, Equatable {
    /// In RFC 2253 form.
    package var subject: String
    /// UID of the subject: the topic, in Apple's push certificates.
    package var userID: String?
    package var isDevelopment: Bool
    package var isProduction: Bool
    package var voipTopics: [String]
    package var topics: [String]
    /// Why it does not verify, in OpenSSL's words; nil when it does.
    package var problem: String?

    /// nil when the client presented no certificate.
    init?(of ssl: OpaquePointer) {
        guard let pointer = SSL_get1_peer_certificate(ssl) else { return nil }
        let certificate = Certificate(pointer)
        subject = certificate.subject
        userID = certificate.subjectValue(NID_userId)
        isDevelopment = certificate.extensionValue(AppleExtension.development) != nil
        isProduction = certificate.extensionValue(AppleExtension.production) != nil
        voipTopics = certificate.extensionValue(AppleExtension.voip).map(AppleExtension.topics) ?? []
        topics = certificate.extensionValue(AppleExtension.topics).map(AppleExtension.topics) ?? []
        let status = SSL_get_verify_result(ssl)
        problem = status == Int(X509_V_OK) ? nil : String(cString: X509_verify_cert_error_string(status))
    }
}

enum AppleExtension {
    static let development = "1.2.840.113635.100.6.3.1"
    static let production = "1.2.840.113635.100.6.3.2"
    static let voip = "1.2.840.113635.100.6.3.4"
    static let topics = "1.2.840.113635.100.6.3.6"

    /// The extension's value is a UTF8String, or a SEQUENCE that alternates topic and SEQUENCE of kinds.
    static func topics(_ value: [UInt8]) -> [String] {
        guard let elements = DER.elements(value[...]) else { return [] }
        return elements.flatMap { element -> [String] in
            switch element.tag {
            case DER.utf8String: [String(decoding: element.content, as: UTF8.self)]
            case DER.sequence:
                (DER.elements(element.content) ?? []).filter { $0.tag == DER.utf8String }
                    .map { String(decoding: $0.content, as: UTF8.self) }
            default: []
            }
        }
    }

    static func value(topics: [(name: String, kind: String)]) -> [UInt8] {
        let parts = topics.flatMap { DER.text($0.name) + DER.element(DER.sequence, DER.text($0.kind)) }
        return DER.element(DER.sequence, parts)
    }
}

/// A client certificate to issue, in one of the forms that APNs has issued.
package struct ClientCertificateRequest: Sendable {
    package enum Form: String, CaseIterable, Sendable {
        /// Both environments, with the app's VoIP and complication topics.
        case universal
        case development
        case production
        /// VoIP, both environments.
        case voip
        /// An MDM vendor's certificate: the topic is the subject's UID.
        case mdm
    }

    private let form: Form
    private let bundleID: String
    private let teamID: String?
    /// For tests: expired a day ago.
    package var isExpired = false

    /// - Parameter bundleID: For `mdm`, the whole topic.
    package init(_ form: Form, bundleID: String, teamID: String?) {
        self.form = form
        self.bundleID = bundleID
        self.teamID = teamID
    }

    package var commonName: String {
        switch form {
        case .universal: "Apple Push Services: \(bundleID)"
        case .development: "Apple Development IOS Push Services: \(bundleID)"
        case .production: "Apple Production IOS Push Services: \(bundleID)"
        case .voip: "VoIP Services: \(bundleID)"
        case .mdm: "APSP:\(bundleID)"
        }
    }

    private var voipTopic: String { bundleID + ".voip" }

    var subject: [(field: String, value: String)] {
        let names = [("UID", form == .voip ? voipTopic : bundleID), ("CN", commonName)]
        return names + (teamID.map { [("OU", $0)] } ?? []) + [("C", "US")]
    }

    /// Apple's extensions, with their values in DER.
    var extensions: [(identifier: String, value: [UInt8])] {
        let development = (AppleExtension.development, DER.null)
        let production = (AppleExtension.production, DER.null)
        switch form {
        case .universal:
            let topics = [(bundleID, "app"), (voipTopic, "voip"), (bundleID + ".complication", "complication")]
            return [development, production, (AppleExtension.topics, AppleExtension.value(topics: topics))]
        case .development: return [development]
        case .production: return [production]
        case .voip: return [development, production, (AppleExtension.voip, DER.text(voipTopic))]
        case .mdm: return []
        }
    }
}
