import Foundation
import FoundationXML
import Pictures
import TestSupport
import Testing

@Suite struct PictureTests {
    @Test("Each picture matches its golden file", arguments: Samples.all)
    func equalsGolden(_ sample: Samples.Sample) throws {
        let file = Samples.folder.appending(path: "\(sample.name).svg")
        let difference = try Golden.difference(between: sample.svg + "\n", and: file)
        #expect(difference == nil)
    }

    @Test(
        "Each Live Activity matches its golden file", arguments: ActivityPicture.Form.allCases,
        [Appearance.light, .dark])
    func activityEqualsGolden(_ form: ActivityPicture.Form, _ appearance: Appearance) throws {
        let svg = ActivityPicture([Samples.parcel, Samples.match], form: form, appearance: appearance).svg
        let file = Samples.folder.appending(path: "activity-\(form.rawValue)-\(appearance.rawValue).svg")
        #expect(try Golden.difference(between: svg + "\n", and: file) == nil)
    }

    @Test("A Live Activity's texts are escaped", arguments: ["</text>", "\u{0}", "&", "<i>", "'\"", "]]>"])
    func hostileActivity(_ line: String) {
        let card = ActivityCard(
            app: "<a>", appName: "\"><script>", title: String(repeating: "<&>", count: 5000),
            lines: [line, "</text>", "]]>"])
        for form in ActivityPicture.Form.allCases {
            let svg = ActivityPicture([card, card], form: form, appearance: .auto).svg
            #expect(XMLParser(data: Data(svg.utf8)).parse() && svg.utf8.count < 16 << 10)
            #expect(!svg.contains("<script"))
        }
        #expect(ActivityPicture([], form: .islandMinimal, appearance: .light).svg.contains("nothing"))
    }

    @Test("A device that is off shows no notifications") func offIsBlack() {
        let screen = Samples.screen([.init(Samples.bank)]) { $0.isPoweredOn = false }
        for form in [PhonePicture.Form.lockScreen, .notificationCenter, .expanded] {
            #expect(!PhonePicture(screen, form: form, appearance: .light).svg.contains("New sign-in"))
        }
    }

    @Test(
        "A notification of another day has its date",
        arguments: [(581, ">12:00<"), (582, ">2026-11-21 11:59<"), (2880, ">2026-11-20 9:41<")])
    func datesAreShown(_ minutesAgo: Int64, _ stamp: String) {
        let screen = Samples.screen([.init(Samples.card("bank", "Bank", "Salary", minutesAgo: minutesAgo))])
        let svg = PhonePicture(screen, form: .notificationCenter, appearance: .light).svg
        #expect(svg.contains(stamp))
    }

    @Test(
        "Arabic has its own words, digits and sides",
        arguments: [("ar_EG", "٩:٤١", "الأحد، ٢٢ نوفمبر", "قبل ٥ د"), ("ar_AE", "9:41", "الأحد، 22 نوفمبر", "قبل 5 د")])
    func arabic(_ locale: String, _ clock: String, _ date: String, _ age: String) {
        let card = Samples.card("chat", "Chatter", "ليلى", "نلتقي عند الباب الشمالي في الثامنة.", minutesAgo: 5)
        let svg = PhonePicture(
            Samples.screen(locale: locale, [.init(card)]), form: .lockScreen, appearance: .light
        ).svg
        for text in [clock, date, age] { #expect(svg.contains(">\(text)<")) }
        #expect(svg.contains("scale(-1 1)"))
        // The sentence fits on one line.
        #expect(svg.contains(">نلتقي عند الباب الشمالي في الثامنة.<"))
    }

    @Test("An incoming call covers the screen") func call() {
        let screen = Samples.screen([.init(Samples.bank)]) { $0.call = ("+1555", "Kitchen") }
        let svg = PhonePicture(screen, form: .lockScreen, appearance: .light).svg
        #expect(svg.contains(">+1555<") && svg.contains("A call: +1555, Kitchen.") && !svg.contains("New sign-in"))
    }

    @Test("A speaker of Push to Talk is above what else is shown") func speaker() {
        let screen = Samples.screen([.init(Samples.bank)]) { $0.speaker = "Alice" }
        let svg = PhonePicture(screen, form: .lockScreen, appearance: .light).svg
        #expect(svg.contains(">Alice<") && svg.contains(">Push to Talk: Alice. At ") && svg.contains("New sign-in"))
    }

    @Test("CarPlay shows the sender, never the text") func carPlayHidesTheText() {
        let svg = PhonePicture(Samples.screen([.init(Samples.mia)]), form: .carPlay, appearance: .light).svg
        #expect(svg.contains("Mia Chen") && !svg.contains("Dinner"))
    }

    @Test("A hidden preview shows neither its attachment nor its buttons") func hiddenIsHidden() {
        var card = Samples.mia
        card.isHidden = true
        for form in PhonePicture.Form.allCases {
            let svg = PhonePicture(Samples.screen([.init(card)]), form: form, appearance: .light).svg
            #expect(!svg.contains("<image") && !svg.contains("Reply"))
        }
    }

    @Test("Images beyond the fourth, and other files, are omitted") func imagesAreBounded() throws {
        var card = Samples.mia
        card.body = ""
        let screen = Samples.screen(Array(repeating: PictureScene.Stack(card), count: 5))
        let svg = PhonePicture(screen, form: .notificationCenter, appearance: .light).svg
        #expect(svg.components(separatedBy: ">Mia Chen<").count - 1 == 5)
        #expect(svg.components(separatedBy: "<image ").count - 1 == 4)
        #expect(PictureImage(Array("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8)) == nil)
        let lake = try Data(contentsOf: Samples.folder.appending(path: "lake.png"))
        #expect(PictureImage(Array(lake)) != nil)
        #expect(PictureImage(Array(lake) + [UInt8](repeating: 0, count: 256 << 10)) == nil)
    }

    @Test("The automatic appearance has light colours, and dark ones in a media query") func autoHasBoth() {
        let svg = PhonePicture(Samples.morning(summary: true), form: .lockScreen, appearance: .auto).svg
        #expect(svg.contains(##"fill="#27364d""##) && svg.contains(".fill-f2f5fb{fill:#f2f5fb}"))
        #expect(svg.components(separatedBy: "<style>").count == 2)
    }

    @Test("Identifiers have the prefix, so that several pictures fit on one page") func identifiersCarryThePrefix() {
        let svg = PhonePicture(Samples.morning(summary: true), form: .lockScreen, appearance: .light, id: "n7").svg
        let parts = svg.components(separatedBy: " id=\"").dropFirst()
        #expect(!parts.isEmpty && parts.allSatisfy { $0.hasPrefix("n7") })
    }
}
