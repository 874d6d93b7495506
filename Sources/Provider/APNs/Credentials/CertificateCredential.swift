/// What a provider's client certificate allows (Apple, "Establishing a certificate-based connection to APNs").
public struct CertificateCredential: Hashable, Sendable {
    /// The subject's and all others of the certificate.
    public var topics: Set<String>
    public var environments: Set<APNsEnvironment>
    /// Why the certificate does not verify; nil when it does.
    public var problem: String?

    /// - Parameter subjectTopic: UID of the subject.
    public init(
        subjectTopic: String?, topics: Set<String>, environments: Set<APNsEnvironment>, problem: String? = nil
    ) {
        self.topics = topics.union(subjectTopic.map { [$0] } ?? [])
        self.environments = environments
        self.problem = problem
    }

    public func checkTrust() throws(APNsRejection) {
        guard let problem else { return }
        throw APNsRejection(
            .badCertificate, "certificate.untrusted",
            "The client certificate does not verify: \(problem). Use one from `pushcote certs client`, or add its CA "
                + "in certificates.clientAuthorities.")
    }

    /// APNs sends this rejection in a GOAWAY.
    public func checkEnvironment(_ environment: APNsEnvironment) throws(APNsRejection) {
        // A certificate with neither environment extension, such as an MDM vendor's, works in production.
        let allowed = environments.isEmpty ? [.production] : environments
        guard !allowed.contains(environment) else { return }
        throw APNsRejection(
            .badCertificateEnvironment, "certificate.environment",
            "The client certificate is for \(allowed.map(\.rawValue).sorted().joined(separator: ", ")); the connection is to "
                + "\(environment.rawValue).")
    }

    /// The topic of a push: the header's, or the certificate's if it has exactly one.
    public func topic(header: String?) throws(APNsRejection) -> String {
        guard let header else {
            if topics.count == 1, let only = topics.first { return only }
            throw APNsRejection(
                .missingTopic, "apns-topic.several",
                "The certificate has \(topics.count) topics, so apns-topic must name one: "
                    + topics.sorted().joined(separator: ", ") + ".")
        }
        guard topics.contains(header) else {
            throw APNsRejection(
                .topicDisallowed, "certificate.topic",
                "The certificate has \(topics.sorted().joined(separator: ", ")); the push is for '\(header)'.")
        }
        return header
    }
}
