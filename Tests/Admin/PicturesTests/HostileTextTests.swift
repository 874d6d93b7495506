import Foundation
import FoundationXML
import Pictures
import TestSupport
import Testing

/// A provider's texts must not become markup, an address or a huge file.
@Suite struct HostileTextTests {
    private static let pieces = [
        "<script>", "</text>", "]]>", "<!--", "-->", "&", "&#0;", "\"", "'", "onload=", "javascript:",
        "http://a.example",
        "\u{0}", "\u{8}", "\u{B}", "\u{1F}", "\u{7F}", "\u{85}", "\u{2028}", "\u{FFFE}", "\u{FFFF}", "\r", "\r\n", "\n",
        "\t", " ", "  ", "-", "a", "lorem ipsum", "WWWW", "iiii", "\u{202E}", "\u{202A}", "\u{2067}", "\u{2069}",
        "\u{202C}", "\u{200F}", "e\u{301}", "\u{301}", "\u{200D}", "👨‍👩‍👧‍👦", "🏳️‍🌈", "🇫🇷", "1️⃣", "מחר", "غدا", "会議、",
        "「資料」", "각", "ﬃ", "ế", "Ü", "\u{1F1EB}", "\u{10FFFF}", "url(#x)", "%", "{}", "\\", "data:image/svg+xml,",
    ]

    private func text(_ random: inout SplitMix, upTo count: Int) -> String {
        (0..<Int.random(in: 0...count, using: &random)).map { _ in Self.pieces.randomElement(using: &random)! }.joined()
    }

    private func card(_ random: inout SplitMix) -> PictureScene.Card {
        Samples.card(
            text(&random, upTo: 3), text(&random, upTo: 6), text(&random, upTo: 40), text(&random, upTo: 200),
            minutesAgo: .random(in: -5...200, using: &random)
        ) { card in
            card.subtitle = text(&random, upTo: 20)
            card.label = Bool.random(using: &random) ? text(&random, upTo: 2) : nil
            card.avatar = Bool.random(using: &random) ? .monogram(text(&random, upTo: 3)) : nil
            card.thumbnail = Bool.random(using: &random) ? .unknown : nil
            card.badge = .random(in: -3...20_000, using: &random)
            card.buttons = (0..<Int.random(in: 0...10, using: &random)).map { _ in
                .init(title: text(&random, upTo: 10), placeholder: text(&random, upTo: 5))
            }
        }
    }

    @Test("10,000 hostile notifications make small, well-formed pictures without injected markup")
    func picturesStayPictures() throws {
        var random = SplitMix(state: 18)
        for round in 0..<500 {
            let stacks = (0..<20).map { _ in
                PictureScene.Stack(
                    card(&random), count: .random(in: 1...4, using: &random), text: text(&random, upTo: 10))
            }
            let screen = Samples.screen(locale: ["en_US", "ar", "ja_JP"][round % 3], stacks) { screen in
                screen.focus = text(&random, upTo: 10)
                screen.banner = stacks[0].top
                screen.summary = round % 5 == 0 ? (3, stacks.map(\.top)) : nil
            }
            let form = PhonePicture.Form.allCases[round % PhonePicture.Form.allCases.count]
            let svg = PhonePicture(screen, form: form, appearance: Appearance.allCases[round % 3]).svg
            try check(svg, "round \(round)")
        }
    }

    @Test(
        "Texts of 4 KB stay below 64 KB", arguments: ["a", "\u{301}", "'", "\u{10FFFF}", "\u{202E}", "👨‍👩‍👧‍👦", "\n"],
        PhonePicture.Form.allCases)
    func picturesAreSmall(_ piece: String, _ form: PhonePicture.Form) throws {
        let long = String(repeating: piece, count: 4096 / piece.utf8.count)
        let card = Samples.card("chat", long, long, long) { card in
            card.subtitle = long
            card.buttons = Array(repeating: .init(title: long, placeholder: long), count: 10)
        }
        let stacks = Array(repeating: PictureScene.Stack(card, count: 3, text: long), count: 200)
        let screen = Samples.screen(stacks) { screen in
            screen.focus = long
            screen.banner = card
        }
        try check(PhonePicture(screen, form: form, appearance: .light).svg, "\(form)")
    }

    private func check(_ svg: String, _ name: String) throws {
        #expect(svg.utf8.count < 64 << 10, "\(name)")
        let reader = PictureReader()
        let parser = XMLParser(data: Data(svg.utf8))
        parser.delegate = reader
        #expect(parser.parse(), "\(name): \(String(describing: parser.parserError))\n\(svg)")
        #expect(reader.problems.isEmpty, "\(name)")
    }
}

/// Finds elements, attributes and addresses that are forbidden in pictures.
private final class PictureReader: NSObject, XMLParserDelegate {
    private static let elements: Set = [
        "svg", "title", "desc", "defs", "linearGradient", "stop", "clipPath", "filter", "feGaussianBlur", "g", "rect",
        "path", "circle", "text", "image", "style",
    ]
    var problems: [String] = []

    func parser(
        _ parser: XMLParser, didStartElement element: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        if !Self.elements.contains(element) { problems.append("<\(element)>") }
        for (name, value) in attributes where name.hasPrefix("on") || name == "style" || name == "href" {
            problems.append("\(name)=\(value)")
        }
        for (name, value) in attributes where value.contains("http") && name != "aria-label" && !name.hasPrefix("xmlns")
        {
            problems.append("\(name)=\(value)")
        }
    }
}
