internal import APNs
internal import DeviceModel
package import JSON
internal import SiriModel

package struct DonationsAnswer: APIShape {
    package var donations: [DonationAnswer]
    package var evicted: Int
}

package struct DonationAnswer: APIShape {
    package var number: UInt64
    package var at: String
    package var app: String
    package var appState: String
    package var context: JSONValue
    /// What makes it equal to others; one for each combination of parameters.
    package var keys: [String]
    package var interaction: JSONValue

    init(_ entry: DonationEntry) {
        number = entry.number
        at = entry.at.text
        app = entry.app
        appState = entry.appState.rawValue
        context = entry.context.json
        keys = entry.keys.map(\.text)
        interaction = entry.donation.json
    }
}

package struct DonatedAnswer: APIShape {
    /// nil for a list.
    package var donation: DonationAnswer?
    package var findings: [FindingAnswer]
    package var events: [EventAnswer]
}
