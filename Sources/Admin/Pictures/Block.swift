/// A part of a screen's list: laid out once, drawn at any position.
struct Block {
    static let width = NotificationCard.width

    let height: Double
    let nodes: (_ x: Double, _ y: Double) -> [Node]

    init(height: Double, @NodeBuilder nodes: @escaping (_ x: Double, _ y: Double) -> [Node]) {
        (self.height, self.nodes) = (height, nodes)
    }

    private static func panel(_ x: Double, _ y: Double, height: Double) -> Node {
        .rectangle(x, y, width, height, radius: 24, Paint.card, opacity: .card)
    }
}

extension Block {
    /// Notifications in a stack: the newest on the edges of up to two others.
    static func stack(_ stack: PictureScene.Stack, words: ScreenWords, id: String) -> Block {
        let card = NotificationCard(stack.top, words: words, more: stack.text)
        let depth = max(0, min(stack.count - 1, 2))
        return Block(height: card.height + 8 * Double(depth)) { x, y in
            for level in (0..<depth).reversed() {
                let inset = 14 * Double(level + 1)
                let width = Self.width - 2 * inset
                let top = y + card.height + 8 * Double(level) + 1
                Node.path(
                    "M\(x + inset) \(top)h\(width)q-2 7 -12 7h\(24 - width)q-10 0 -12 -7z", fill: Paint.card,
                    opacity: .card * (level == 0 ? 0.75 : 0.5))
            }
            card.node(x, y, id: id)
        }
    }

    /// A question of the system, with its choices beside each other.
    static func prompt(_ prompt: PictureScene.Prompt) -> Block {
        let lines = TextLine.wrapped(prompt.text, size: 15, width: width - 36, limit: 4, isBold: true)
        let height = 64 + 20 * Double(lines.count)
        let choices = prompt.choices.prefix(3)
        let room = width / Double(max(1, choices.count))
        return Block(height: height) { x, y in
            panel(x, y, height: height)
            for (index, line) in lines.enumerated() {
                let baseline = y + 28 + 20 * Double(index)
                Node.text(line, x + 18, baseline, width: width - 36, size: 15, Paint.text, isBold: true)
            }
            Node.path("M\(x) \(y + height - 44)h\(width)", stroke: .rule)
            for (index, choice) in choices.enumerated() {
                let left = x + room * Double(index)
                if index > 0 { Node.path("M\(left) \(y + height - 44)v44", stroke: .rule) }
                Node.text(choice, left + 8, y + height - 16, width: room - 16, size: 15, Paint.link, anchor: .middle)
            }
        }
    }

    /// A delivered scheduled summary.
    static func summary(_ summary: PictureScene.Summary, words: ScreenWords) -> Block {
        let featured = summary.featured.prefix(2)
        let height = 52 + 44 * Double(featured.count)
        let count = words.notifications(summary.count)
        return Block(height: height) { x, y in
            panel(x, y, height: height)
            Node.text(words.summary, x + 18, y + 30, width: width - 36, size: 17, Paint.text, isBold: true)
            Node.text(count, x + 18, y + 30, width: width - 36, size: 13, Paint.softText, anchor: .end)
            for (index, card) in featured.enumerated() {
                let top = y + 44 + 44 * Double(index)
                Node.appIcon(card.app, name: card.appName, x + 18, top + 4, size: 28)
                Node.text(card.title, x + 56, top + 15, width: width - 74, size: 14, Paint.text, isBold: true)
                Node.text(card.body, x + 56, top + 33, width: width - 74, size: 14, Paint.text)
            }
        }
    }
}
