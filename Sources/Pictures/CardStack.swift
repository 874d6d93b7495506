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
            Node.path(
                "M\(x + inset) \(top)h\(width)q-2 7 -12 7h\(24 - width)q-10 0 -12 -7z", fill: Paint.card,
                opacity: .card * (level == 0 ? 0.75 : 0.5))
        }
        card.node(x, y, id: id)
    }
}

/// A question of the system, with its choices beside each other.
struct PromptView {
    let prompt: DeviceScreen.Prompt

    private static let width = NotificationCard.width
    private var lines: [TextLine] {
        TextLine.wrapped(prompt.text, size: 15, width: Self.width - 36, limit: 4, isBold: true)
    }
    var height: Double { 64 + 20 * Double(lines.count) }

    @NodeBuilder func nodes(_ x: Double, _ y: Double) -> [Node] {
        let choices = prompt.choices.prefix(3)
        let room = Self.width / Double(max(1, choices.count))
        Node.rectangle(x, y, Self.width, height, radius: 24, Paint.card, opacity: .card)
        for (index, line) in lines.enumerated() {
            let baseline = y + 28 + 20 * Double(index)
            Node.text(line, x + 18, baseline, width: Self.width - 36, size: 15, Paint.text, isBold: true)
        }
        Node.path("M\(x) \(y + height - 44)h\(Self.width)", stroke: .rule)
        for (index, choice) in choices.enumerated() {
            let left = x + room * Double(index)
            if index > 0 { Node.path("M\(left) \(y + height - 44)v44", stroke: .rule) }
            Node.text(choice, left + 8, y + height - 16, width: room - 16, size: 15, Paint.link, anchor: .middle)
        }
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
        Node.text(words.summary, x + 18, y + 30, width: width - 36, size: 17, Paint.text, isBold: true)
        Node.text(
            words.notifications(summary.count), x + 18, y + 30, width: width - 36, size: 13, Paint.softText,
            anchor: .end)
        for (index, card) in featured.enumerated() {
            let top = y + 44 + 44 * Double(index)
            Node.appIcon(card.app, name: card.appName, x + 18, top + 4, size: 28)
            Node.text(card.title, x + 56, top + 15, width: width - 74, size: 14, Paint.text, isBold: true)
            Node.text(card.body, x + 56, top + 33, width: width - 74, size: 14, Paint.text)
        }
    }
}
