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
