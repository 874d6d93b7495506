/// A Live Activity in the texts of its declared template. Its real appearance is defined by the app's view.
package struct ActivityCard: Sendable {
    package var app: String
    package var appName: String
    package var title: String
    /// Below the title; the first three are drawn.
    package var lines: [String] = []

    package init(app: String, appName: String, title: String, lines: [String] = []) {
        (self.app, self.appName, self.title, self.lines) = (app, appName, title, lines)
    }

    /// The text in the Dynamic Island's small views.
    fileprivate var shortText: String { lines.first ?? title }

    var spoken: String {
        ([appName == title ? "" : appName, title] + lines.prefix(3)).filter { !$0.isEmpty }.joined(separator: ", ")
            .cut(toScalars: 400)
    }
}

/// Live Activities outside of a phone's screen.
package struct ActivityPicture: Sendable {
    package let svg: String

    package enum Form: String, CaseIterable, Sendable {
        case liveActivity, islandMinimal, islandCompact, islandExpanded, standBy
    }

    /// - Parameter cards: The one in front first; `islandMinimal` draws two, the others one.
    package init(_ cards: [ActivityCard], form: Form, appearance: Appearance) {
        svg = SVGWriter.text(of: Self.node(of: cards, form), appearance: appearance)
    }

    private static func node(of cards: [ActivityCard], _ form: Form) -> Node {
        let description = (form == .islandMinimal ? cards.prefix(2) : cards.prefix(1)).map(\.spoken)
        let words = description.isEmpty ? "nothing" : description.joined(separator: "; ")
        let block = cards.first.map { Block.activity($0, isIsland: form != .liveActivity) }
        func picture(_ width: Double, _ height: Double, _ title: String, @NodeBuilder _ nodes: () -> [Node]) -> Node {
            .picture(width: width, height: height, title: title, description: words, children: nodes)
        }
        func whole(_ title: String) -> Node {
            picture(390, (block?.height ?? 66) + 20, title) { block?.nodes(12, 10) ?? [] }
        }
        switch form {
        case .liveActivity: return whole("Live Activity")
        case .islandMinimal:
            return picture(250, 60, "Dynamic Island, two Live Activities") {
                for (index, card) in cards.prefix(2).enumerated() { card.minimal(isAttached: index == 0) }
            }
        case .islandCompact: return picture(250, 60, "Dynamic Island") { cards.first?.compact ?? [] }
        case .islandExpanded: return whole("Dynamic Island, expanded")
        case .standBy:
            return picture(844, 390, "StandBy") {
                Node.rectangle(0, 0, 844, 390, radius: 50, Paint.black)
                if let block {
                    // The lock screen's layout, twice as large.
                    Node("g", ["transform": "scale(2)"]) { block.nodes(28, max(0, (195 - block.height) / 2)) }
                }
            }
        }
    }
}

extension Block {
    /// A Live Activity on the lock screen or in the expanded island, which is always dark.
    static func activity(_ activity: ActivityCard, isIsland: Bool = false) -> Block {
        let lines = activity.lines.filter { !$0.isEmpty }.prefix(3)
        let height = 76 + (lines.isEmpty ? 0 : 20 * Double(lines.count) + 6)
        let ink = isIsland ? Paint(0xf5f6f8) : .text
        let softInk = isIsland ? Paint(0xb9bec9) : .softText
        return Block(height: height) { x, y in
            Node("g", ["role": "img", "aria-label": activity.spoken]) {
                Node.rectangle(
                    x, y, width, height, radius: isIsland ? 42 : 24, isIsland ? .black : Paint.card,
                    opacity: isIsland ? .full : .card)
                Node.appIcon(activity.app, name: activity.appName, x + 20, y + 20, size: 36)
                Node.text(activity.title, x + 68, y + 36, width: width - 92, size: 17, ink, isBold: true)
                Node.text(activity.appName, x + 68, y + 55, width: width - 92, size: 13, softInk)
                for (index, line) in lines.enumerated() {
                    Node.text(line, x + 20, y + 84 + 20 * Double(index), width: width - 40, size: 15, ink)
                }
            }
        }
    }
}

extension ActivityCard {
    /// The only one in the island: icon and text.
    @NodeBuilder fileprivate var compact: [Node] {
        Node.rectangle(5, 10, 240, 40, radius: 20, Paint.black)
        Node.appIcon(app, name: appName, 14, 17, size: 26)
        Node.text(shortText, 150, 35, width: 84, size: 15, Paint(0x7fd4a0), isBold: true, anchor: .end)
    }

    /// Two in the island: attached on the left, and detached on the right.
    @NodeBuilder fileprivate func minimal(isAttached: Bool) -> [Node] {
        let x: Double = isAttached ? 5 : 205
        Node.rectangle(x, 10, isAttached ? 190 : 40, 40, radius: 20, Paint.black)
        if shortText.isEmpty {
            Node.appIcon(app, name: appName, x + 7, 17, size: 26)
        } else {
            Node.text(shortText, x + 4, 35, width: 32, size: 13, Paint(0x7fd4a0), isBold: true, anchor: .middle)
        }
    }
}
