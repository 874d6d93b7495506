internal import DeviceModel
internal import DeviceSimulator
internal import Fields
internal import Gateway
internal import HTTPTypes
internal import HummingbirdCore
internal import JSON
internal import Lint
internal import SiriModel
internal import Time

/// Donations of apps on a device.
extension AdminAPI {
    var donationEndpoints: [Endpoint] {
        let path = "/devices/{name}/donations"
        return [
            Endpoint(
                .get, path, .events, "What apps donated to Siri on a device, oldest first", id: "donations",
                answer: "At most 1000 donations.", errors: [404], query: ["app"]
            ) { request in
                let app = try request.query.value("app", .topic)
                let store = try donations(request)
                let entries = store.entries.filter { $0.app == app ?? $0.app }
                return DonationsAnswer(donations: entries.map { DonationAnswer($0) }, evicted: store.evictedCount)
            },
            Endpoint(
                .post, path, .events, "Donate, as an app does", id: "donate",
                about: """
                    An interaction or an activity is stored with the device's time, place and Focus. Relevant shortcuts
                    and upcoming media replace the app's former list. An app that the person terminated cannot donate.
                    """,
                body: .required("NewDonation"),
                answer: "The donation as it is stored, and advice.", status: .created, errors: [404, 409], donate),
            Endpoint(
                .delete, path, .events, "Delete an app's donations, as the app does", id: "deleteDonations",
                about: "One by its identifier, those of a group, or all. Their suggestions end at once.",
                answers: [.removed], errors: [404, 409], query: ["app", "identifier", "group"]
            ) { request in
                let (app, scope) = try scope(request.query)
                let change = try gateway.perform(
                    .donation(.delete(scope), app: app, .foreground), on: try self.device(request).name
                ) { $0.siri.donations.entries.count }
                return Response(removed: change.before - change.after)
            },
        ]
    }

    private func donations(_ request: AdminRequest) throws -> DonationStore {
        gateway.simulator.siri(of: try device(request).name).donations
    }

    private func scope(_ query: RequestQuery) throws -> (app: String, DonationScope) {
        guard let app = try query.value("app", .topic) else {
            throw AdminError.badRequest("'app' is missing: an app deletes its own donations only.")
        }
        switch (query["identifier"], query["group"]) {
        case (nil, nil): return (app, .all)
        case (let identifier?, nil): return (app, .identifiers([identifier]))
        case (nil, let group?): return (app, .group(group))
        case (_?, _?): throw AdminError.badRequest("'identifier' and 'group' exclude each other; use one.")
        }
    }

    private func donate(_ request: AdminRequest) async throws -> DonatedAnswer {
        let device = try self.device(request).name
        // An interaction has nulls (D.3).
        let new = try NewDonation(json: .object(try await request.members(isNeeded: true)))
        let isInFront = gateway.simulator.conditions(of: device)?.isForeground(new.app) ?? false
        let (call, state) = (try new.call, new.appState ?? (isInFront ? .foreground : .background))
        let change = try gateway.perform(.donation(call, app: new.app, state), on: device) { $0.siri.donations }
        let events = change.events.map { EventAnswer($0) }
        guard case .donate = call, let stored = change.after.entries.last else {
            return DonatedAnswer(findings: [], events: events)
        }
        let subject = DonationSubject(
            stored.donation, recent: change.before.recent(of: stored.app, before: stored.at),
            app: gateway.simulator.app(stored.app), isByExtension: stored.appState == .extension)
        let findings = Lint.findings(for: subject, silencing: configuration.silencedFindings)
        return DonatedAnswer(
            donation: DonationAnswer(stored), findings: findings.map { FindingAnswer($0) }, events: events)
    }
}

struct DonationsAnswer: APIShape {
    var donations: [DonationAnswer]
    var evicted: Int

    static let shape = Shape(["evicted": "How many were evicted by newer ones."])
}

struct DonationAnswer: AnswerTable {
    let source: DonationEntry

    static let rows: [Row<DonationEntry>] = [
        Row("number", \.number, .positive("Counts from 1 on each device.")),
        Row("at", \.at),
        Row("app", \.app),
        Row("appState", \.appState),
        Row("context", \.context.json, .ref("DonationContext", "The circumstances that predictions use.")),
        Row("keys", { $0.keys.map(\.text) }, "What makes it equal to others; one for each combination."),
        Row("interaction", \.donation.json, .ref("Donation")),
    ]

    static let shape = Shape(name: "StoredDonation", of: rows)
}

struct DonatedAnswer: APIShape {
    /// nil for a list.
    var donation: DonationAnswer?
    var findings: [FindingAnswer]
    var events: [EventAnswer]

    static let shape = Shape(["donation": "Absent for a list."])
}
