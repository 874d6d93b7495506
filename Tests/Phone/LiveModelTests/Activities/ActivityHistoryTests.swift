import DeviceModel
import JSON
import LiveModel
import TestSupport
import Testing
import Time

/// Random histories of Live Activities: invariants after each step, and equal inputs give equal states.
@Suite struct ActivityHistoryTests {
    @Test(
        "L1.3 every step of a random history satisfies the invariants, and replaying it gives the same state",
        arguments: 0..<UInt64(40))
    func holds(_ seed: UInt64) throws {
        for number in seed * 10..<seed * 10 + 10 {
            var random = SplitMix(state: number)
            var (phone, copy) = (try Phone(setting: .undecided), try Phone(setting: .undecided))
            for _ in 0..<60 {
                let before = phone.table.activities
                let step = Step(&random)
                step.happen(to: &phone)
                step.happen(to: &copy)
                let problems = Self.problems(before, phone)
                #expect(problems.isEmpty, "seed \(number), \(step): \(problems)")
            }
            #expect(phone.table == copy.table, "seed \(number)")
            #expect(phone.events == copy.events)
            let stored = try JSONTextDecoder.decode(ActivityTable.self, from: JSONValue(encoding: phone.table).bytes)
            #expect(stored == phone.table, "seed \(number): stored")
            phone.advance(to: 13 * 3600 + phone.now.seconds - Phone.t0)
            #expect(phone.table.activities.allSatisfy { $0.state == .dismissed })
        }
    }

    private static func problems(_ before: [LiveActivity], _ phone: Phone) -> [String] {
        var problems: [String] = []
        func check(_ name: String, _ holds: Bool) { if !holds { problems.append(name) } }
        let table = phone.table
        check("something is due in the past", (table.due(after: phone.now) ?? phone.now) >= phone.now)
        check("too many activities", table.activities.count { $0.state.isOngoing } <= 5)
        check("too many dismissed", table.activities.count { $0.state == .dismissed } <= 20)
        check("an identifier twice", Set(table.activities.map(\.id)).count == table.activities.count)
        for activity in table.activities {
            let former = before.first { $0.id == activity.id }
            check("it came back", former?.state != .dismissed || activity.state == .dismissed)
            check("it went on", former?.state != .ended || !activity.state.isOngoing)
            check("an older content", activity.lastTimestamp >= former?.lastTimestamp ?? 0)
            check("attributes changed", former.map { $0.attributes == activity.attributes } ?? true)
            check("no end", activity.state.isOngoing == (activity.endedAt == nil))
            check("too old", !activity.state.isLive || activity.startedAt.advanced(by: 8 * 3_600_000) > phone.now)
            check("ended too long", activity.state != .ended || activity.dismissAt ?? phone.now > phone.now)
            check("a token in spite of the gate", !activity.push.consentPending || activity.push.token == nil)
            check("the log is too long", activity.log.count <= 32)
        }
        let denied = table.settings(of: Phone.app).setting == .denied
        check("denied and shown", !denied || table.activities.allSatisfy { $0.state == .dismissed })
        let screen = table.surfaces(phone.context)
        check("cards", screen.lockScreen.count == table.activities.count { $0.state.isLive || $0.state == .ended })
        check("compact and minimal", screen.island.compact == nil || screen.island.minimal.isEmpty)
        return problems
    }

    /// A step, chosen before it is applied.
    struct Step {
        var kind: Int
        var place: Int
        var skew: Int
        var variant: Int

        init(_ random: inout SplitMix) {
            kind = .random(in: 0..<13, using: &random)
            place = .random(in: 0..<100, using: &random)
            skew = .random(in: -3...3, using: &random) * 40
            variant = .random(in: 0..<6, using: &random)
        }

        func happen(to phone: inout Phone) {
            let seconds = phone.now.seconds - Phone.t0
            let at = seconds + Double(skew)
            let ids = phone.table.activities.map(\.id)
            let id = ids.isEmpty ? "none" : ids[place % ids.count]
            let more = ["", #","stale-date":\#(Int(Phone.t0 + at) + 60)"#, #","relevance-score":\#(place)"#][
                variant % 3]
            switch kind {
            case 0, 1: phone.start(at: at, more: more + (variant > 3 ? #","input-push-channel":"AAAA""# : ""))
            case 2...5: phone.update(at: at, state: #"{"eta":0,"step":\#(place)}"#, more: more, of: id)
            case 6:
                let dismissal = #","dismissal-date":\#(Int(Phone.t0 + at) + variant * 3600)"#
                phone.update(at: at, "end", more: variant == 0 ? "" : dismissal, of: id)
            case 7: try? phone.act(.dismiss(id))
            case 8: try? phone.act(.answer(app: Phone.app, variant == 0 ? .deny : variant < 3 ? .alwaysAllow : .allow))
            case 9:
                var change = LiveSettingsChange()
                if variant < 4 { change.setting = [.undecided, .allowed, .always, .denied][variant] }
                if place < 20 { change.frequentEnabled = variant % 2 == 0 }
                try? phone.act(.settings(app: Phone.app, change))
            case 10: try? phone.act(.rotateToken(id))
            case 11:
                phone.unlock(in: Phone.app)
                var start = Phone.appStart { $0.push = variant < 3 ? .token : .channel("AAAA") }
                if variant % 2 == 0 {
                    start.startsAt = phone.now.advanced(by: 300_000)
                    start.alert = ActivityAlertText()
                }
                try? phone.act(.start(start))
            default: phone.advance(to: seconds + [1, 60, 600, 3600, 4 * 3600, 9 * 3600][variant])
            }
        }
    }
}
