/// What a minted client certificate says; every form that APNs has issued can be made.
package struct ClientCertificateRequest: Sendable, Equatable {
    /// UID, CN, OU and others, in order.
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
    /// For tests: it ended a day ago.
    package var isExpired = false

    /// A topic with the word for its kind.
    package struct Topic: Sendable, Equatable {
        package var name: String
        /// `app`, `voip` or `complication`.
        package var kind: String

        package init(name: String, kind: String) {
            self.name = name
            self.kind = kind
        }
    }

    /// The kinds of push certificates.
    package enum Form: String, CaseIterable, Sendable {
        /// Sandbox and production, with the app's VoIP and complication topics.
        case universal
        /// Sandbox only.
        case development
        case production
        /// VoIP services, both environments.
        case voip
        /// A device management vendor's: the topic is the subject's UID.
        case mdm
    }

    /// - Parameter bundleID: The app's bundle identifier; for `mdm`, the whole topic.
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
