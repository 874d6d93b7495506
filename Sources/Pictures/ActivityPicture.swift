/// A Live Activity in the texts of its declared template. Its real appearance is defined by the app's view.
package struct ActivityCard: Sendable {
    package var app: String
    package var appName: String
    package var title: String
    /// Below the title, on the lock screen and in StandBy; the first three are drawn.
    package var lines: [String] = []
    /// In the Dynamic Island: beside another app's, alone, and for a moment after an alert.
    package var minimal = ""
    package var compact = ""
    package var expanded: [String] = []
    /// 0…1; nil without a bar.
    package var progress: Double?

    package init(app: String, appName: String, title: String) {
        (self.app, self.appName, self.title) = (app, appName, title)
    }

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
        let views = cards.map { ActivityView($0) }
        let description = (form == .islandMinimal ? cards.prefix(2) : cards.prefix(1)).map(\.spoken)
        let words = description.isEmpty ? "nothing" : description.joined(separator: "; ")
        func picture(_ width: Double, _ height: Double, _ title: String, @NodeBuilder _ nodes: () -> [Node]) -> Node {
            .picture(width: width, height: height, title: title, description: words, children: nodes)
        }
        switch form {
        case .liveActivity:
            return picture(390, (views.first?.height ?? 66) + 20, "Live Activity") { views.first?.card(12, 10) ?? [] }
        case .islandMinimal:
            return picture(250, 60, "Dynamic Island, two Live Activities") {
                for (index, view) in views.prefix(2).enumerated() { view.minimal(isAttached: index == 0) }
            }
        case .islandCompact: return picture(250, 60, "Dynamic Island") { views.first?.compact ?? [] }
        case .islandExpanded:
            let island = cards.first.map { ActivityView($0, isIsland: true) }
            return picture(390, (island?.height ?? 66) + 20, "Dynamic Island, expanded") { island?.card(12, 10) ?? [] }
        case .standBy:
            return picture(844, 390, "StandBy") {
                Node.rectangle(0, 0, 844, 390, radius: 50, Paint.black)
                if let view = views.first.map({ ActivityView($0.activity, isIsland: true) }) {
                    let top = max(0, (195 - view.height) / 2)
                    // The lock screen's layout, twice as large.
                    Node("g", ["transform": "scale(2)"]) { view.card(28, top) }
                }
            }
        }
    }
}

/// Lays a Live Activity out once, on the lock screen or in the expanded island, which is always dark.
struct ActivityView {
    let activity: ActivityCard
    var isIsland = false

    init(_ activity: ActivityCard, isIsland: Bool = false) { (self.activity, self.isIsland) = (activity, isIsland) }

    private static let width = NotificationCard.width
    private static let green = Paint(0x43b873)
    private var ink: Paint { isIsland ? Paint(0xf5f6f8) : .text }
    private var softInk: Paint { isIsland ? Paint(0xb9bec9) : .softText }
    private var lines: ArraySlice<String> {
        (isIsland && !activity.expanded.isEmpty ? activity.expanded : activity.lines).filter { !$0.isEmpty }.prefix(3)
    }
    var height: Double { 76 + (lines.isEmpty ? 0 : 20 * Double(lines.count) + 6) + (activity.progress == nil ? 0 : 22) }

    @NodeBuilder func card(_ x: Double, _ y: Double) -> [Node] {
        Node("g", ["role": "img", "aria-label": activity.spoken]) {
            Node.rectangle(
                x, y, Self.width, height, radius: isIsland ? 42 : 24, isIsland ? .black : Paint.card,
                opacity: isIsland ? .full : .card)
            Node.appIcon(activity.app, name: activity.appName, x + 20, y + 20, size: 36)
            Node.text(activity.title, x + 68, y + 36, width: Self.width - 92, size: 17, ink, isBold: true)
            Node.text(activity.appName, x + 68, y + 55, width: Self.width - 92, size: 13, softInk)
            for (index, line) in lines.enumerated() {
                Node.text(line, x + 20, y + 84 + 20 * Double(index), width: Self.width - 40, size: 15, ink)
            }
            if let progress = activity.progress {
                let room = Self.width - 40
                let part = progress.isFinite ? min(1, max(0, progress)) : 0
                Node.rectangle(x + 20, y + height - 20, room, 6, radius: 3, softInk, opacity: Opacity(0.35))
                Node.rectangle(x + 20, y + height - 20, max(6, room * part), 6, radius: 3, Self.green)
            }
        }
    }

    /// The only one in the island: icon and text.
    @NodeBuilder var compact: [Node] {
        Node.rectangle(5, 10, 240, 40, radius: 20, Paint.black)
        Node.appIcon(activity.app, name: activity.appName, 14, 17, size: 26)
        Node.text(
            activity.compact, 150, 35, width: 84, size: 15, Paint(0x7fd4a0), isBold: true, anchor: .end)
    }

    /// Two in the island: attached on the left, and detached on the right.
    @NodeBuilder func minimal(isAttached: Bool) -> [Node] {
        let x: Double = isAttached ? 5 : 205
        Node.rectangle(x, 10, isAttached ? 190 : 40, 40, radius: 20, Paint.black)
        if activity.minimal.isEmpty {
            Node.appIcon(activity.app, name: activity.appName, x + 7, 17, size: 26)
        } else {
            Node.text(activity.minimal, x + 4, 35, width: 32, size: 13, Paint(0x7fd4a0), isBold: true, anchor: .middle)
        }
    }
}
