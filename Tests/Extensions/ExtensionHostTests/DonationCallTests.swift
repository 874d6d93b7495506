import DeviceModel
import ExtensionHost
import JSON
import Testing

@Suite(.bench, .timeLimit(.minutes(5))) struct DonationCallTests {
    private static let script = Python.each(
        #"""
        def call(name, **arguments):
            say(type="center", id=id, call=1, name=name, arguments=arguments)
            return hear().get("error", "")
        say(type="donate", id=id, interaction={"identifier": "i", "intent": {"class": "CheckWeatherIntent"}})
        errors = [
            call("deleteDonations", identifiers=["i"]), call("deleteDonations", groupIdentifier="san-diego"),
            call("deleteAllDonations"), call("becomeCurrent", userActivity={"activityType": "a"}),
            call("deleteUserActivities", persistentIdentifiers=["a"]), call("deleteAllUserActivities"),
            call("setRelevantShortcuts", shortcuts=[{"intent": {"image": {"kind": "data", "value": "AQID"}}}]),
            call("setSuggestedMediaIntents", intents=[]), call("setPredictionMode", mode="default", mediaType="song"),
            call("deleteDonations"), call("becomeCurrent"), call("deleteUserActivities", persistentIdentifiers="a"),
            call("setRelevantShortcuts"), call("setSuggestedMediaIntents", intents=[1]),
            call("setPredictionMode", mode="never", mediaType="song")]
        say(type="content", id=id, content={"body": "\n".join(errors)})
        """#)

    @Test("S1-11 S1-23 S1-24 donation calls are recorded in order, and one with invalid arguments is rejected")
    func callsAreRecordedInOrder() async throws {
        try await withBench(center: { _, _ in .refused("this is not for the notification center") }) { bench in
            let run = try await bench.ask(.python(try bench.script(Self.script)))
            #expect(run.donationCalls.first == run.donations.first.map { .donate($0) })
            let recorded: [DonationCall] = [
                .delete(.identifiers(["i"])), .delete(.group("san-diego")), .delete(.all),
                .becomeCurrent(["activityType": .string("a")]), .deleteUserActivities(["a"]),
                .deleteUserActivities(nil),
                .setRelevantShortcuts([["intent": ["image": ["kind": .string("data")]]]]),
                .setSuggestedMediaIntents([]),
                .setPredictionMode(.default, mediaType: "song"),
            ]
            #expect(Array(run.donationCalls.dropFirst()) == recorded)
            #expect(run.centerCalls.isEmpty)
            for call in recorded {
                #expect(try call.centerCall.flatMap { try DonationCall.read($0) { _ in nil } } == call)
            }
            let refused = run.findings.filter { $0.id == "donation.refused" }
            #expect(refused.count == 6, "each call that has no effect has a finding")
            #expect(refused.first?.message.contains("deleteDonations") == true)
            let errors = run.answer?.body.split(separator: "\n", omittingEmptySubsequences: false) ?? []
            #expect(errors.count == 15 && errors.prefix(9).allSatisfy(\.isEmpty), "\(errors)")
            let members = ["identifiers", "userActivity", "persistentIdentifiers", "shortcuts", "intents[0]", "mode"]
            for (error, member) in zip(errors.suffix(6), members) {
                #expect(error.hasPrefix("arguments.\(member)"), "\(error)")
            }
        }
    }

    @Test func the101stCallIsRejected() async throws {
        let script = Python.each(
            #"""
            for number in range(101):
                say(type="center", id=id, call=number, name="deleteAllDonations")
            errors = [hear().get("error") for _ in range(101)]
            say(type="content", id=id, content={"body": str([errors.count(None), errors[100]])})
            """#)
        let run = try await bench.ask(.python(try bench.script(script)))
        #expect(run.donationCalls.count == 100)
        #expect(run.answer?.body == "[100, 'a request has at most 100 calls about donations']")
    }
}
