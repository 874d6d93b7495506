internal import DeviceModel
internal import DeviceSimulator
internal import JSON

extension Notification {
    /// The texts and the picture as the person sees them.
    ///
    /// - Parameter count: How many lie in one stack, for placeholders that tell.
    func displayed(
        _ content: NotificationContent, device: DeviceConditions, settings: NotificationSettings, count: Int = 1
    ) -> DisplayedText {
        let app = context.app
        let heading = DisplayedText.Heading(
            of: content, app: app, locale: device.locale, assumptions: context.assumptions)
        return DisplayedText(
            content, app: app, device: device, settings: settings, level: outcome?.level ?? .active,
            communication: outcome?.isCommunication == true ? heading : nil, count: count)
    }
}

extension JSONValue {
    /// - Parameter device: Where its picture can be had.
    init(_ text: DisplayedText, on device: String) {
        self = [
            "appName": .string(text.appName),
            "title": .string(text.title),
            "subtitle": .nonEmpty(text.subtitle),
            "body": .nonEmpty(text.body),
            "isHidden": .bool(text.isHidden),
            "label": text.label.map { .string($0) },
            "isCommunication": .bool(text.isCommunication),
            "avatar": text.avatar.map { JSONValue($0, on: device) },
            "watchSubtitle": text.watchSubtitle.map { .string($0) },
        ]
    }

    /// The contact whom the system takes a sender for, until somebody confirms it.
    init(_ suggestion: ContactAssociation) {
        self = [
            "kind": .string("contactAssociation"), "person": .string(suggestion.person),
            "name": .string(suggestion.name), "contact": .string(suggestion.contact), "app": .string(suggestion.app),
        ]
    }

    private init(_ avatar: CommunicationDisplay.Avatar, on device: String) {
        self =
            switch avatar {
            case .image(let digest):
                ["image": .string("\(Endpoint.base)/devices/\(percentEncoded(device))/images/\(digest)")]
            case .monogram(let letters): ["monogram": .string(letters)]
            }
    }
}
