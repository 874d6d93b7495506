/// Notifications in a stack: the newest on the edges of up to two others.
struct CardStack {
    private let card: NotificationCard
    private let depth: Int

    init(_ stack: DeviceScreen.Stack, words: ScreenWords) {
        card = NotificationCard(stack.top, words: words, more: stack.text)
        depth = max(0, min(stack.count - 1, 2))
    }

    var height: Double { card.height + 8 * Double(depth) }

    @NodeBuilder func nodes(_ x: Double, _ y: Double, id: String) -> [Node] {
        for level in (0..<depth).reversed() {
            let inset = 14 * Double(level + 1)
            let width = NotificationCard.width - 2 * inset
            let top = y + card.height + 8 * Double(level) + 1
            Node(
                "path",
                [
                    "d": "M\(x + inset) \(top)h\(width)q-2 7 -12 7h\(24 - width)q-10 0 -12 -7z" as Numbers,
                    "fill": Paint.card, "fill-opacity": Opacity.card * (level == 0 ? 0.75 : 0.5),
                ])
        }
        card.node(x, y, id: id)
    }
}

/// A delivered scheduled summary.
struct SummaryView {
    let summary: DeviceScreen.Summary
    let words: ScreenWords

    private var featured: ArraySlice<DeviceScreen.Card> { summary.featured.prefix(2) }
    var height: Double { 52 + 44 * Double(featured.count) }

    @NodeBuilder func nodes(_ x: Double, _ y: Double) -> [Node] {
        let width = NotificationCard.width
        Node.rectangle(x, y, width, height, radius: 24, Paint.card, opacity: .card)
        Node.text(
            TextLine(words.summary), x + 18, y + 30, width: width - 36, size: 17, Paint.text, isBold: true)
        Node.text(
            TextLine(words.notifications(summary.count)), x + 18, y + 30, width: width - 36, size: 13, Paint.softText,
            anchor: .end)
        for (index, card) in featured.enumerated() {
            let top = y + 44 + 44 * Double(index)
            Node.appIcon(card.app, name: card.appName, x + 18, top + 4, size: 28)
            row(card.title, x + 56, top + 15, isBold: true)
            row(card.body, x + 56, top + 33, isBold: false)
        }
    }

    private func row(_ text: String, _ x: Double, _ y: Double, isBold: Bool) -> Node {
        let width = NotificationCard.width
        return Node.text(
            TextLine(text, size: 14, width: width - 80, isBold: isBold), x, y, width: width - 74, size: 14, Paint.text,
            isBold: isBold)
    }
}
