/// How a communication notification introduces itself (E.2): the sender's name, then whom else it goes to.
package struct CommunicationDisplay: Sendable, Hashable {
    /// Stands for the content's title; empty when the sender has no name, then the content's own should stay.
    package var title: String
    /// Stands for the content's subtitle; may be empty.
    package var subtitle: String
    package var avatar: Avatar

    /// The picture beside the text, with the app's icon in its corner.
    package enum Avatar: Sendable, Hashable {
        /// The image's SHA-256.
        case image(digest: String)
        /// The name's first letters.
        case monogram(String)
    }

    /// Works out what is shown.
    ///
    /// - Parameters:
    ///   - contentSubtitle: the content's own subtitle, which a message to the person alone keeps.
    ///   - appName: stands under the name of a caller.
    ///   - usesFirstNames: as a watch does for the recipients (S0-30).
    package init(
        of context: CommunicationContext, contentSubtitle: String, appName: String, language: SystemLanguage,
        assumptions: Assumptions, usesFirstNames: Bool = false
    ) {
        let sender = context.sender.shownName
        avatar = context.imageDigest.map { .image(digest: $0) } ?? .monogram(context.sender.monogram)
        (title, subtitle) = (sender, contentSubtitle)
        if context.intent == .startCall {
            subtitle = context.isMissedCall ? language.missedCall : appName
        } else if context.isGroup {
            let name = context.groupName ?? ""
            if name.isEmpty {
                subtitle = language.recipients(of: context, usesFirstNames: usesFirstNames)
            } else {
                subtitle = name
                if assumptions.groupTitle == .groupFirst { swap(&title, &subtitle) }
            }
        }
    }
}

extension SystemLanguage {
    fileprivate var missedCall: String {
        switch self {
        case .english: "Missed call"
        case .japanese: "不在着信"
        }
    }

    /// "To you and Bob", "To you, Bob and Carol", "To you, Bob and 2 others".
    fileprivate func recipients(of context: CommunicationContext, usesFirstNames: Bool) -> String {
        let audience = audience(of: context, usesFirstNames: usesFirstNames)
        return switch self {
        case .english: "To \(audience)"
        case .japanese: "宛先: \(audience)"
        }
    }

    /// "you and Bob", "you, Bob and Carol", "you, Bob and 2 others".
    func audience(of context: CommunicationContext, usesFirstNames: Bool = false) -> String {
        let known = context.otherRecipients.map { usesFirstNames ? $0.firstName : $0.shownName }.filter { !$0.isEmpty }
        let count = context.otherRecipientCount
        // Two names fit; of more people the first is named and the rest are counted.
        let names = Array(known.prefix(count > 2 ? 1 : count))
        let more = count - names.count
        switch self {
        case .english:
            let others = more == 0 ? [] : [more == 1 ? "1 other" : "\(more) others"]
            let all = ["you"] + names + others
            return "\(all.dropLast().joined(separator: ", ")) and \(all[all.count - 1])"
        case .japanese:
            return (["あなた"] + names + (more == 0 ? [] : ["ほか\(more)人"])).joined(separator: "、")
        }
    }
}
