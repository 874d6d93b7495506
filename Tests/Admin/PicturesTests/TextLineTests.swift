import TestSupport
import Testing
import Time

@testable import Pictures

@Suite struct TextLineTests {
    private func lines(_ text: String, width: Double = 150, limit: Int = 9) -> [String] {
        TextLine.wrapped(text, size: 15, width: width, limit: limit).map(\.text)
    }

    @Test("Lines break after spaces and hyphens, and within words longer than a line") func breaksLatin() {
        #expect(lines("The machine is warm and well") == ["The machine is", "warm and well"])
        #expect(lines("Konzert-Karten-Verkauf") == ["Konzert-Karten-", "Verkauf"])
        #expect(lines("iiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiii").count == 2)
        #expect(lines("one\n\ntwo\r\nthree") == ["one", "", "two", "three"])
    }

    @Test("Japanese breaks anywhere except before punctuation and after an opening bracket") func breaksJapanese() {
        #expect(lines("一二三四五六七八九十、十一") == ["一二三四五六七八九", "十、十一"])
        #expect(lines("一二三四五六七八九「資料」") == ["一二三四五六七八九", "「資料」"])
    }

    @Test("Truncated text ends with an ellipsis") func endsWithEllipsis() {
        #expect(lines("The machine is warm and well", limit: 1) == ["The machine is…"])
        #expect(lines("one\ntwo", limit: 1) == ["one…"])
        #expect(lines("one\ntwo", limit: 2) == ["one", "two"])
    }

    @Test("A line's direction is that of the first strong letter of its paragraph, outside isolates")
    func directionIsTheParagraphs() {
        func directions(_ text: String) -> [Bool] {
            TextLine.wrapped(text, size: 15, width: 150, limit: 9).map(\.isRightToLeft)
        }
        #expect(directions("מחר Meeting with everybody in the big room") == [true, true, true])
        #expect(directions("12:30 غدا\nTomorrow") == [true, false])
        #expect(directions("\u{2067}מחר\u{2069} today") == [false])
        #expect(directions("\u{200F}today") == [true])
    }

    @Test("Bidirectional controls are closed at the end of their line") func controlsAreClosed() {
        #expect(lines("\u{202E}evil") == ["\u{202E}evil\u{202C}"])
        #expect(lines("\u{2067}a\u{202A}b") == ["\u{2067}a\u{202A}b\u{202C}\u{2069}"])
        #expect(lines("\u{2067}a\u{2069}\u{202C}") == ["\u{2067}a\u{2069}\u{202C}"])
    }

    @Test("No line is wider than the space for it", arguments: [(1, false), (2, true), (12, false)])
    func nothingSpills(_ limit: Int, _ isBold: Bool) {
        let pieces = [
            "a", "W", "lorem", "ipsum-", " ", "  ", "\n", "会議", "、", "「", "👨‍👩‍👧‍👦", "ế", "מחר", "غدا", "e\u{301}",
            "\u{202E}",
            "…", ",",
        ]
        var random = SplitMix(state: 7)
        for _ in 0..<1000 {
            let text = (0..<Int.random(in: 0...60, using: &random)).map { _ in pieces.randomElement(using: &random)! }
            let width = Double.random(in: 60...300, using: &random)
            let lines = TextLine.wrapped(text.joined(), size: 15, width: width, limit: limit, isBold: isBold)
            #expect(lines.count <= limit)
            #expect(
                lines.allSatisfy { TextWidths.width(of: $0.text, size: 15, isBold: isBold) <= width }, "\(text)")
        }
    }

    @Test("Times and dates are formatted for language and region") func clocksFollowTheRegion() {
        func words(_ locale: String, zone: String = "UTC") -> ScreenWords {
            var screen = PictureScene(at: Samples.now, locale: locale)
            screen.timeZone = zone
            return ScreenWords(screen)
        }
        #expect(words("en_US", zone: "America/New_York").clock == "4:41")
        #expect(words("en_US", zone: "Asia/Tokyo").clock == "6:41")
        #expect(words("en_GB").clock == "09:41")
        #expect(words("ja_JP").clock == "9:41")
        #expect(words("de_DE", zone: "Asia/Tokyo").clock == "18:41")
        #expect(words("en_US").date == "Sunday, November 22")
        #expect(words("en_GB", zone: "Pacific/Kiritimati").date == "Sunday 22 November")
        #expect(words("ja_JP", zone: "Asia/Tokyo").date == "11月22日日曜日")
        #expect(words("en_US").age(of: Samples.now.advanced(by: -59_000)) == "now")
        #expect(words("en_US").age(of: Samples.now.advanced(by: -60_000)) == "1m ago")
        #expect(words("en_US").age(of: Samples.now.advanced(by: 3_600_000)) == "10:41")
        #expect(words("en_US").age(of: Samples.now.advanced(by: -3_600_000)) == "8:41")
        #expect(words("ar").isMirrored && !words("en").isMirrored)
    }
}
