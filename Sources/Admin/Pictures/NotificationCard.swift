internal import DeviceModel

/// A notification's card, laid out once and drawn at any position.
struct NotificationCard {
    static let width = 366.0
    private static let padding = 14.0
    private static let faceSize = 38.0
    private static let thumbnailSize = 42.0
    private static let thumbnailTop = padding + 22
    private static let attachmentHeight = 180.0
    static let buttonHeight = 46.0

    private let card: PictureScene.Card
    private let words: ScreenWords
    private let isExpanded: Bool
    private let rows: [Row]
    /// Of the rows; an attachment and buttons come below.
    private let textHeight: Double

    /// A line of text, by its baseline from the card's top.
    private struct Row {
        var line: TextLine
        var baseline: Double
        var width: Double
        var size: Double
        var fill: Paint
        var isBold = false
    }

    /// - Parameter more: The line about the other notifications of a stack.
    init(_ card: PictureScene.Card, words: ScreenWords, more: String? = nil, isExpanded: Bool = false) {
        self.card = card
        self.words = words
        self.isExpanded = isExpanded
        let stamp = TextWidths.width(of: words.age(of: card.at), size: 13) + 10
        let hasThumbnail = !card.isHidden && !isExpanded && card.thumbnail != nil
        let room = Self.width - 2 * Self.padding - Self.faceSize - 10 - (hasThumbnail ? Self.thumbnailSize + 8 : 0)
        var rows: [Row] = []
        var baseline = Self.padding - 3
        func add(_ text: String, _ size: Double, step: Double, _ fill: Paint, isBold: Bool = false, limit: Int = 1) {
            // The first line leaves room for the time.
            let width = rows.isEmpty ? room - stamp : room
            for line in TextLine.wrapped(text, size: size, width: width, limit: limit, isBold: isBold) {
                baseline += step
                rows.append(
                    Row(line: line, baseline: baseline, width: width, size: size, fill: fill, isBold: isBold))
            }
        }
        if let label = card.label { add(label.uppercased(), 11.5, step: 15, .softText, isBold: true) }
        add(card.title, 15, step: rows.isEmpty ? 18 : 19, .text, isBold: true)
        if !card.subtitle.isEmpty { add(card.subtitle, 15, step: 20, .text, isBold: true) }
        if !card.body.isEmpty { add(card.body, 15, step: 20, .text, limit: isExpanded ? 12 : 4) }
        if let more { add(more, 13, step: 20, .softText) }
        self.rows = rows
        let least = hasThumbnail ? Self.thumbnailTop + Self.thumbnailSize + 12 : 2 * Self.padding + Self.faceSize
        textHeight = max(baseline + Self.padding - 2, least)
    }

    private var buttons: [NotificationAction] { isExpanded && !card.isHidden ? card.buttons : [] }
    private var attachment: PictureScene.Thumbnail? { isExpanded && !card.isHidden ? card.thumbnail : nil }
    private var thumbnail: PictureScene.Thumbnail? { isExpanded || card.isHidden ? nil : card.thumbnail }
    var height: Double { textHeight + (attachment == nil ? 0 : Self.attachmentHeight) }

    /// - Parameter id: A prefix for identifiers in the picture.
    func node(_ x: Double, _ y: Double, opacity: Opacity = .card, id: String) -> Node {
        Node(
            "g",
            [
                "role": "img", "aria-label": card.spoken,
                "data-notification": card.notification.map { Int(clamping: $0) },
            ]
        ) {
            Node.rectangle(x, y, Self.width, height, radius: 24, Paint.card, opacity: opacity)
            texts(x, y)
            picture(x, y, id: id)
            Node.face(
                of: card, words.isMirrored ? x + Self.width - Self.padding - Self.faceSize : x + Self.padding,
                y + (height > 90 ? Self.padding + 2 : (height - Self.faceSize) / 2), size: Self.faceSize, ring: .card,
                id: "\(id)a")
            buttonList(x, y + height + 8)
        }
    }

    @NodeBuilder private func texts(_ x: Double, _ y: Double) -> [Node] {
        let room = Self.width - 2 * Self.padding - Self.faceSize - 10
        let left = x + Self.padding + (words.isMirrored ? 0 : Self.faceSize + 10)
        for row in rows {
            Node.text(
                row.line, words.isMirrored ? left + room - row.width : left, y + row.baseline, width: row.width,
                size: row.size, row.fill, isBold: row.isBold,
                anchor: words.isMirrored && !row.line.isRightToLeft ? .end : .start)
        }
        // The time is beside the first line, above a thumbnail.
        let age = TextLine(words.age(of: card.at), size: 13, width: room)
        Node.text(
            age, left, y + Self.padding + (card.label == nil ? 15 : 12), width: room, size: 13, Paint.softText,
            anchor: words.isMirrored && !age.isRightToLeft ? .start : .end)
    }

    @NodeBuilder private func picture(_ x: Double, _ y: Double, id: String) -> [Node] {
        if let thumbnail {
            let (size, top) = (Self.thumbnailSize, y + Self.thumbnailTop)
            let left = words.isMirrored ? x + Self.padding : x + Self.width - Self.padding - size
            Node.thumbnail(thumbnail, left, top, size, size, id: "\(id)t") {
                Node.rectangle(left, top, size, size, radius: 6, $0)
            }
        }
        if let attachment {
            let top = y + textHeight
            // Cut to the card's lower corners.
            let path: Numbers =
                "M\(x) \(top)h\(Self.width)V\(y + height - 24)a24 24 0 0 1 -24 24h-318a24 24 0 0 1 -24 -24z"
            Node.thumbnail(attachment, x, top, Self.width, Self.attachmentHeight, id: "\(id)t") {
                Node.path(path, fill: $0)
            }
        }
    }

    /// The buttons in one block, and the text field that a button opens.
    @NodeBuilder private func buttonList(_ x: Double, _ top: Double) -> [Node] {
        if !buttons.isEmpty {
            Node.rectangle(
                x, top, Self.width, Double(buttons.count) * Self.buttonHeight, radius: 20, Paint.card, opacity: .card)
        }
        for (index, button) in buttons.enumerated() {
            let y = top + Double(index) * Self.buttonHeight
            if index > 0 {
                Node.path("M\(x + 16) \(y)h\(Self.width - 32)", stroke: .rule)
            }
            Node.text(button.title, x + 18, y + 29, width: Self.width - 36, size: 17, button.isRed ? Paint.red : .text)
        }
        if let input = buttons.lazy.compactMap(\.textInput).first {
            let placeholder = input.placeholder.isEmpty ? input.buttonTitle : input.placeholder
            let y = top + Double(buttons.count) * Self.buttonHeight + 8
            Node.rectangle(x, y, Self.width, 40, radius: 20, Paint.card, opacity: .card)
            Node.text(placeholder, x + 18, y + 25, width: Self.width - 36, size: 15, Paint.softText)
        }
    }
}

extension Node {
    /// A picture cut to a shape; a grey shape with a mountain for one that cannot be drawn.
    @NodeBuilder fileprivate static func thumbnail(
        _ thumbnail: PictureScene.Thumbnail, _ x: Double, _ y: Double, _ width: Double, _ height: Double, id: String,
        shape: (Paint) -> Node
    ) -> [Node] {
        switch thumbnail {
        case .image(let image):
            Node("clipPath", ["id": id]) { shape(.black) }
            image.node(x, y, width, height, clip: id)
        case .unknown:
            shape(Paint(0xa9afbb))
            Node.path("M\(x + width / 2 - 17) \(y + height / 2 + 11)l11 -18l8 12l5 -6l10 12z", fill: Paint.white)
        }
    }
}

extension PictureScene.Card {
    /// The text for screen readers.
    var spoken: String { spoken(withBody: true) }

    func spoken(withBody: Bool) -> String {
        let name = appName == title ? "" : appName
        return [label ?? "", name, title, subtitle, withBody ? body : ""].filter { !$0.isEmpty }
            .joined(separator: ", ").cut(toScalars: 400)
    }
}
