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
