/// The contents of a client certificate to issue, in any form that APNs has issued.
package struct ClientCertificateRequest: Sendable, Equatable {
    package var subject: [(field: String, value: String)] {
        var fields = [("UID", userID), ("CN", commonName)]
        if let teamID { fields.append(("OU", teamID)) }
        return fields + [("C", "US")]
    }
    package var userID: String
    package var commonName: String
    package var teamID: String?
    /// Extension 6.3.1.
    package var isDevelopment = false
    /// Extension 6.3.2.
    package var isProduction = false
    /// Extension 6.3.4.
    package var voipTopic: String?
    /// Extension 6.3.6.
    package var topics: [Topic] = []
    /// For tests: expired a day ago.
    package var isExpired = false

    package struct Topic: Sendable, Equatable {
        package var name: String
        /// `app`, `voip` or `complication`.
        package var kind: String

        package init(name: String, kind: String) {
            self.name = name
            self.kind = kind
        }
    }

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

    /// - Parameter bundleID: For `mdm`, the whole topic.
    package init(_ form: Form, bundleID: String, teamID: String?) {
        userID = bundleID
        self.teamID = teamID
        switch form {
        case .universal:
            commonName = "Apple Push Services: \(bundleID)"
            (isDevelopment, isProduction) = (true, true)
            topics = [
                Topic(name: bundleID, kind: "app"), Topic(name: bundleID + ".voip", kind: "voip"),
                Topic(name: bundleID + ".complication", kind: "complication"),
            ]
        case .development:
            commonName = "Apple Development IOS Push Services: \(bundleID)"
            isDevelopment = true
        case .production:
            commonName = "Apple Production IOS Push Services: \(bundleID)"
            isProduction = true
        case .voip:
            commonName = "VoIP Services: \(bundleID)"
            (isDevelopment, isProduction) = (true, true)
            userID = bundleID + ".voip"
            voipTopic = bundleID + ".voip"
        case .mdm:
            commonName = "APSP:\(bundleID)"
        }
    }
}
