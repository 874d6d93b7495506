/// What a communication notification shows instead of its title, its subtitle and the app's icon (E.2).
package struct CommunicationDisplay: Sendable, Hashable {
    /// The sender; if empty, the content's own title remains.
    package var title: String
    /// A group message's recipients; if empty, the content's own subtitle remains.
    package var subtitle = ""
    /// A group message's subtitle on a watch, with first names only (S0-30).
    package var watchSubtitle: String?
    package var avatar: Avatar?

    package enum Avatar: Sendable, Hashable {
        case image(digest: String)
        case monogram(String)
    }
}

extension CommunicationDisplay {
    /// - Parameter appName: A call's subtitle.
    package init(
        of context: CommunicationContext, appName: String, language: SystemLanguage, assumptions: Assumptions
    ) {
        self.init(title: context.sender.shownName)
        avatar = context.imageDigest.map { .image(digest: $0) } ?? .monogram(context.sender.monogram)
        if context.intent == .startCall {
            subtitle = context.isMissedCall ? language.text(english: "Missed call", japanese: "不在着信") : appName
        } else if context.isGroup {
            if let name = context.groupName, !name.isEmpty {
                subtitle = name
                if assumptions.groupTitle == .groupFirst { swap(&title, &subtitle) }
                watchSubtitle = subtitle
            } else {
                subtitle = language.recipients(of: context, usesFirstNames: false)
                watchSubtitle = language.recipients(of: context, usesFirstNames: true)
            }
        }
    }
}

extension SystemLanguage {
    /// "To you and Bob", "To you, Bob and Carol", "To you, Bob and 2 others".
    fileprivate func recipients(of context: CommunicationContext, usesFirstNames: Bool) -> String {
        let audience = audience(of: context, usesFirstNames: usesFirstNames)
        return text(english: "To \(audience)", japanese: "宛先: \(audience)")
    }

    /// "you and Bob", "you, Bob and Carol", "you, Bob and 2 others".
    func audience(of context: CommunicationContext, usesFirstNames: Bool = false) -> String {
        let known = context.otherRecipients.map { usesFirstNames ? $0.firstName : $0.shownName }.filter { !$0.isEmpty }
        let count = context.otherRecipientCount
        // Two names fit; with more people, only the first is named and the rest are counted.
        let names = Array(known.prefix(count > 2 ? 1 : count))
        let more = count - names.count
        switch self {
        case .english, .arabic:
            let others = more == 0 ? [] : [more == 1 ? "1 other" : "\(more) others"]
            let all = ["you"] + names + others
            return "\(all.dropLast().joined(separator: ", ")) and \(all[all.count - 1])"
        case .japanese: return (["あなた"] + names + (more == 0 ? [] : ["ほか\(more)人"])).joined(separator: "、")
        }
    }
}
