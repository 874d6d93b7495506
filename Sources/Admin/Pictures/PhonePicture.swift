/// A device as SVG: no fonts, no address of another host, no script.
package struct PhonePicture: Sendable {
    package let svg: String

    package enum Form: String, CaseIterable, Sendable {
        case lockScreen, notificationCenter, banner, expanded, watch, carPlay, homeIcon
    }

    /// - Parameter id: A prefix for identifiers, so that several pictures fit into one page.
    package init(_ screen: PictureScene, form: Form, appearance: Appearance, id: String = "p") {
        let words = ScreenWords(screen)
        let node =
            switch form {
            case .lockScreen, .notificationCenter, .banner, .expanded:
                Phone(screen: screen, form: form, words: words, id: id).node
            case .watch: SmallPicture.watch(screen.subject, id: id)
            case .carPlay: SmallPicture.carPlay(screen.subject, words: words, id: id)
            case .homeIcon: SmallPicture.homeIcon(screen.subject)
            }
        svg = SVGWriter.text(of: node, appearance: appearance)
    }
}

/// A phone with its frame.
private struct Phone {
    static let width = 390.0
    static let height = 844.0
    static let margin = 12.0

    let screen: PictureScene
    let form: PhonePicture.Form
    let words: ScreenWords
    let id: String

    private var isCenter: Bool { form == .notificationCenter }
    private var hasList: Bool { form == .lockScreen || form == .notificationCenter }
    private var stacks: [PictureScene.Stack] { isCenter ? screen.notificationCenter : screen.lockScreen }
    private var ink: Paint { form == .banner ? .text : .clock }

    var node: Node {
        .picture(width: Self.width + 24, height: Self.height + 24, title: title, description: description) {
            definitions
            Node.rectangle(1, 1, Self.width + 22, Self.height + 22, radius: 61, Paint.frame)
            Node.rectangle(4, 4, Self.width + 16, Self.height + 16, radius: 58, Paint(0x0c0d10))
            Node("g", ["transform": "translate(12 12)"]) {
                Node("g", ["clip-path": "url(#\(id)glass)"]) {
                    if screen.isPoweredOn { glass } else { Node.rectangle(0, 0, Self.width, Self.height, Paint.black) }
                }
            }
        }
    }

    // MARK: Words

    private var title: String {
        switch form {
        case .lockScreen: "Lock screen"
        case .notificationCenter: "Notification Center"
        case .banner: "A banner over an app"
        case .expanded: "A notification, expanded"
        case .watch, .carPlay, .homeIcon: ""
        }
    }

    private var description: String {
        guard screen.isPoweredOn else { return "The device is off." }
        if let call = screen.call {
            return "A call: \([call.name, call.appName].filter { !$0.isEmpty }.joined(separator: ", "))."
        }
        let speaker = screen.speaker.map { "Push to Talk: \($0). " } ?? ""
        let asked = screen.prompt.map { "\($0.text) \($0.choices.joined(separator: ", ")). " } ?? ""
        return "\(speaker)\(asked)At \(words.clock): \(seen.isEmpty ? "nothing" : seen.joined(separator: "; "))".cut(
            toScalars: 2000)
            + "."
    }

    private var seen: [String] {
        guard hasList else {
            return form == .banner
                ? [screen.banner?.spoken, screen.activityBanner?.spoken].compactMap(\.self)
                : [screen.subject?.spoken].compactMap(\.self)
        }
        return screen.activities.prefix(2).map(\.spoken)
            + (screen.summary.map { ["\(words.summary), \(words.notifications($0.count))"] } ?? [])
            + stacks.prefix(20).map { $0.count > 1 ? "\($0.top.spoken), and \($0.count - 1) more" : $0.top.spoken }
    }

    // MARK: Glass

    private var definitions: Node {
        Node("defs") {
            Node("linearGradient", ["id": "\(id)sky", "x1": 0, "y1": 0, "x2": 0.4, "y2": 1]) {
                for (index, colour) in Paint.wallpaper.enumerated() {
                    Node("stop", ["offset": Double(index) / 2, "stop-color": colour])
                }
            }
            Node("clipPath", ["id": "\(id)glass"]) {
                Node.rectangle(0, 0, Self.width, Self.height, radius: 50, Paint.black)
            }
            if form == .banner {
                // Not feDropShadow around the card: librsvg 2.54 draws nothing of it.
                Node("filter", ["id": "\(id)lift", "x": "-20%", "y": "-60%", "width": "140%", "height": "220%"]) {
                    Node("feGaussianBlur", ["stdDeviation": 12])
                }
            }
        }
    }

    @NodeBuilder private var glass: [Node] {
        Node.rectangle(0, 0, Self.width, Self.height, "url(#\(id)sky)")
        if form == .banner { someApp }
        statusBar
        if let call = screen.call {
            self.call(call)
        } else if hasList {
            head
            list
        }
        if form == .banner { banners }
        if form == .expanded, let card = screen.subject {
            NotificationCard(card, words: words, isExpanded: true).node(Self.margin, 120, id: "\(id)e")
        }
        Node.rectangle(128, Self.height - 14, 134, 5, radius: 2.5, ink, opacity: Opacity(0.8))
        if !screen.isScreenOn { Node.rectangle(0, 0, Self.width, Self.height, Paint.black, opacity: Opacity(0.65)) }
    }

    @NodeBuilder private var banners: [Node] {
        let card = screen.banner.map { NotificationCard($0, words: words) }
        if let card {
            lift(56, height: card.height)
            card.node(Self.margin, 56, opacity: .full, id: "\(id)b")
        }
        if let activity = screen.activityBanner.map({ Block.activity($0) }) {
            let top = 56 + (card.map { $0.height + 10 } ?? 0)
            lift(top, height: activity.height)
            Node.rectangle(Self.margin, top, NotificationCard.width, activity.height, radius: 24, Paint.card)
            activity.nodes(Self.margin, top)
        }
    }

    /// A banner's shadow.
    private func lift(_ top: Double, height: Double) -> Node {
        Node("g", ["filter": "url(#\(id)lift)"]) {
            Node.rectangle(
                Self.margin, top + 6, NotificationCard.width, height, radius: 24, Paint.black, opacity: Opacity(0.28))
        }
    }

    /// Grey bars for an app in the foreground; no particular one.
    @NodeBuilder private var someApp: [Node] {
        Node.rectangle(0, 0, Self.width, Self.height, Paint.card, opacity: Opacity(0.94))
        for index in 0..<6 {
            Node.rectangle(
                20, 150 + 96 * Double(index), Self.width - 40 - 40 * Double(index % 3), 64, radius: 12, Paint.softText,
                opacity: Opacity(0.09))
        }
    }

    /// Clock and symbols change sides where text runs from right to left.
    @NodeBuilder private var statusBar: [Node] {
        Node.text(
            words.clock, words.isMirrored ? Self.width - 110 : 30, 38, width: 80, size: 16, ink, isBold: true,
            anchor: words.isMirrored ? .end : .start)
        Node(
            "g",
            ["fill": ink, "transform": words.isMirrored ? "translate(\(Self.width) 0) scale(-1 1)" as Numbers : nil]
        ) {
            for index in 0..<4 {
                let height = 4 + 2.5 * Double(index)
                Node("rect", ["x": 287 + 5 * Double(index), "y": 38 - height, "width": 3.4, "height": height, "rx": 1])
            }
            Node("path", ["d": "M312 30a10.5 10.5 0 0 1 15 0l-7.5 8z"])
            Node.path(
                "M336 27h20a3 3 0 0 1 3 3v5a3 3 0 0 1 -3 3h-20a3 3 0 0 1 -3 -3v-5a3 3 0 0 1 3 -3z", fill: "none",
                stroke: form == .banner ? .text : .clock)
            Node("rect", ["x": 335, "y": 29, "width": 17, "height": 7, "rx": 1.5])
            Node("rect", ["x": 360.5, "y": 30.5, "width": 1.8, "height": 4, "rx": 0.9])
        }
        if screen.hasIsland { Node.rectangle(132, 12, 126, 37, radius: 18.5, Paint.black) }
        if let speaker = screen.speaker { pill(speaker, 54, sign: "M1 4h2v4H1zM5 0h2v12H5zM9 3h2v6H9z") }
    }

    /// The caller, the app, and the buttons to decline and to accept.
    @NodeBuilder private func call(_ call: PictureScene.Call) -> [Node] {
        Node.text(call.appName, 0, 120, width: Self.width, size: 18, Paint.clock, anchor: .middle)
        Node.text(
            call.name.isEmpty ? call.appName : call.name, 20, 164, width: Self.width - 40, size: 34, Paint.clock,
            isBold: true, anchor: .middle)
        Node.circle(95, 700, radius: 36, Paint.red)
        Node.path("M83 688l24 24m0 -24l-24 24", stroke: .white, width: 4, isRound: true)
        Node.circle(295, 700, radius: 36, Paint.green)
        Node.path("M281 701l10 10l19 -22", fill: "none", stroke: .white, width: 4, isRound: true)
    }

    /// Date, clock and the active Focus.
    @NodeBuilder private var head: [Node] {
        Node.text(
            words.date, 0, isCenter ? 92 : 112, width: Self.width, size: 19, Paint.clock, isBold: true, anchor: .middle)
        Node.text(
            words.clock, 0, isCenter ? 146 : 196, width: Self.width, size: isCenter ? 56 : 88, Paint.clock,
            isBold: true, anchor: .middle)
        if let focus = screen.focus { pill(focus, isCenter ? 160 : 220, sign: "M6 0a6 6 0 1 0 6 7A5 5 0 0 1 6 0z") }
    }

    /// - Parameter sign: A path of 12 by 12, left of the text.
    @NodeBuilder private func pill(_ text: String, _ top: Double, sign: String) -> [Node] {
        let name = TextLine(text, size: 14, width: 240, isBold: true)
        let width = TextWidths.width(of: name.text, size: 14, isBold: true) + 44
        let left = (Self.width - width) / 2
        Node.rectangle(left, top, width, 30, radius: 15, Paint.card, opacity: .card * 0.8)
        Node(
            "path",
            ["d": sign, "fill": Paint.text, "transform": "translate(\(left + 14) \(top + 9))" as Numbers])
        Node.text(name, left + 30, top + 20, width: width - 40, size: 14, Paint.text, isBold: true)
    }

    // MARK: List

    /// The lock screen's list grows up from the bottom; notifications that do not fit are counted.
    @NodeBuilder private var list: [Node] {
        let top: Double = isCenter ? 205 : 275
        let room = Self.height - 70 - top
        let (blocks, hidden) = fitting(room)
        let height = blocks.reduce(0) { $0 + $1.height + 10 }
        let start = isCenter ? top : max(top, top + room - height - (hidden > 0 ? 24 : 0))
        let tops = blocks.reduce(into: [start]) { $0.append($0[$0.count - 1] + $1.height + 10) }
        for (index, block) in blocks.enumerated() { block.nodes(Self.margin, tops[index]) }
        if hidden > 0 {
            Node.text(
                words.more(hidden), 0, tops[blocks.count] + 14, width: Self.width, size: 14, Paint.clock,
                anchor: .middle)
        }
        if blocks.isEmpty, isCenter {
            Node.text(words.noNotifications, 0, 420, width: Self.width, size: 17, Paint.clock, anchor: .middle)
        }
    }

    /// The elements above the notifications, from the top.
    private var heads: [Block] {
        let others = [screen.prompt.map { Block.prompt($0) }, screen.summary.map { Block.summary($0, words: words) }]
        return screen.activities.prefix(2).map { Block.activity($0) } + others.compactMap(\.self)
    }

    /// The heads and as many stacks as fit, but at least one block; lays out no more than that.
    private func fitting(_ room: Double) -> (blocks: [Block], hidden: Int) {
        var blocks = heads
        let headCount = blocks.count
        var height = blocks.reduce(0) { $0 + $1.height + 10 }
        for (index, stack) in stacks.enumerated() {
            let next = Block.stack(stack, words: words, id: "\(id)\(index)")
            if !blocks.isEmpty, height + next.height + 10 > room { break }
            blocks.append(next)
            height += next.height + 10
        }
        // Notifications that do not fit are counted on a separate line.
        let all = headCount + stacks.count
        while blocks.count < all, blocks.count > headCount + 1, height > room - 24 {
            height -= blocks.removeLast().height + 10
        }
        return (blocks, stacks.dropFirst(blocks.count - headCount).reduce(0) { $0 + $1.count })
    }
}

/// One notification on a watch, in a car and on the home screen.
enum SmallPicture {
    /// A watch's short look: face, title, app.
    static func watch(_ card: PictureScene.Card?, id: String) -> Node {
        .picture(width: 230, height: 270, title: "Watch", description: card?.spoken ?? "nothing") {
            Node.rectangle(2, 2, 226, 266, radius: 62, Paint(0x3a3c42))
            Node.rectangle(12, 12, 206, 246, radius: 52, Paint.black)
            if let card {
                let title = TextLine.wrapped(card.title, size: 19, width: 170, limit: 2, isBold: true)
                Node.face(of: card, 83, 40, size: 64, ring: .black, id: "\(id)w")
                for (index, line) in title.enumerated() {
                    Node.text(
                        line, 30, 142 + 24 * Double(index), width: 170, size: 19, Paint.white, isBold: true,
                        anchor: .middle)
                }
                Node.text(
                    card.appName.uppercased(), 30, 150 + 24 * Double(title.count), width: 170, size: 14,
                    Paint(0x9aa3b5), anchor: .middle)
            }
        }
    }

    /// A car's banner: the sender, never the text.
    static func carPlay(_ card: PictureScene.Card?, words: ScreenWords, id: String) -> Node {
        let description = card?.spoken(withBody: false) ?? "nothing"
        return .picture(width: 640, height: 120, title: "CarPlay banner", description: description) {
            Node.rectangle(0, 0, 640, 120, radius: 26, Paint(0x15181f))
            Node.rectangle(10, 14, 620, 92, radius: 22, Paint(0x2b2f39))
            if let card {
                Node.face(of: card, 30, 32, size: 56, ring: Paint(0x2b2f39), id: "\(id)c")
                let app = card.avatar == nil ? card.appName : words.message
                Node.text(card.title, 106, 56, width: 420, size: 23, Paint.white, isBold: true)
                Node.text(app, 106, 84, width: 420, size: 19, Paint(0xb9bec9))
            }
        }
    }

    /// An app's icon on the home screen with its badge.
    static func homeIcon(_ card: PictureScene.Card?) -> Node {
        let name = card?.appName ?? "nothing"
        let badge = card?.badge ?? 0
        let description = "\(name.cut(toScalars: 100))\(badge > 0 ? ", \(badge)" : "")"
        return .picture(width: 96, height: 104, title: "Home screen icon", description: description) {
            if let card { Node.appIcon(card.app, name: name, 14, 14, size: 64) }
            if badge > 0 {
                let number = badge > 9999 ? "9999+" : "\(badge)"
                let width = max(26, TextWidths.width(of: number, size: 17) + 14)
                Node.rectangle(92 - width, 2, width, 26, radius: 13, Paint(0xd92d20))
                Node.text(number, 92 - width, 21, width: width, size: 17, Paint.white, anchor: .middle)
            }
            if card != nil {
                Node.text(name, 2, 97, width: 92, size: 12.5, Paint(0x33363c), anchor: .middle)
            }
        }
    }
}
