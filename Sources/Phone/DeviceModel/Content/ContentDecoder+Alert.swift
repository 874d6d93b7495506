internal import JSON

/// Reads `aps.alert` in its two forms.
extension ContentDecoder {
    /// Each text's `-loc-key` and `-loc-args`, which come in either order.
    private struct Lookups {
        var title = LocalizedText()
        var subtitle = LocalizedText()
        var body = LocalizedText()
    }

    mutating func alert() {
        switch reader.kind() {
        case .string:
            content.removeAlert()
            content.body = reader.string()
        case .object:
            content.removeAlert()
            alertDictionary()
        default: wrong("payload.type", at: "aps.alert", "`alert` must be a dictionary or a string")
        }
    }

    private mutating func alertDictionary() {
        var lookups = Lookups()
        reader.enter()
        while reader.nextElement() {
            let place = reader.position
            if let key = reader.key(AlertKey.init) {
                member(key, &lookups)
            } else {
                unknown(
                    at: place, in: .alert, "aps.alert", "alert.unknownKey",
                    "unknown key: custom keys belong next to `aps`")
            }
        }
        content.titleLocalization = lookups.title.key.isEmpty ? nil : lookups.title
        content.subtitleLocalization = lookups.subtitle.key.isEmpty ? nil : lookups.subtitle
        content.bodyLocalization = lookups.body.key.isEmpty ? nil : lookups.body
    }

    private mutating func member(_ key: AlertKey, _ lookups: inout Lookups) {
        switch key {
        case .title: content.title = text(key, or: &lookups.title) ?? content.title
        case .subtitle: content.subtitle = text(key, or: &lookups.subtitle) ?? content.subtitle
        case .body: content.body = text(key, or: &lookups.body) ?? content.body
        case .titleKey: lookups.title.key = text(at: key.path) ?? lookups.title.key
        case .titleArguments: lookups.title.arguments = texts(at: key.path)
        case .subtitleKey: lookups.subtitle.key = text(at: key.path) ?? lookups.subtitle.key
        case .subtitleArguments: lookups.subtitle.arguments = texts(at: key.path)
        case .bodyKey: lookups.body.key = text(at: key.path) ?? lookups.body.key
        case .bodyArguments: lookups.body.arguments = texts(at: key.path)
        case .launchImage: content.launchImageName = text(at: key.path) ?? content.launchImageName
        case .sound:
            reader.skip()
            findings.append(.soundInAlert)
        case .action, .actionKey, .summaryArgument, .summaryArgumentCount:
            reader.skip()
            report("alert.ignoredKey", .info, at: key.path, "`\(key.rawValue)` no longer has any effect")
        case .name, .critical, .volume:
            reader.skip()
            report("alert.unknownKey", .warning, at: key.path, "unknown key: it belongs in a `sound` dictionary")
        }
    }

    private static let unknownInText = "unknown key: a text has `loc-key` and `loc-args`"

    /// A string, or a Live Activity's dictionary `{"loc-key", "loc-args"}`.
    private mutating func text(_ key: AlertKey, or lookup: inout LocalizedText) -> String? {
        guard reader.kind() == .object else { return text(at: key.path) }
        reader.enter()
        while reader.nextElement() {
            let place = reader.position
            switch reader.key(AlertKey.init) {
            case .bodyKey: lookup.key = text(at: "\(key.path).loc-key") ?? lookup.key
            case .bodyArguments: lookup.arguments = texts(at: "\(key.path).loc-args")
            case nil: unknown(at: place, in: .alert, key.path, "alert.unknownKey", Self.unknownInText)
            default:
                let name = reader.text(ofKeyAt: place)
                reader.skip()
                report("alert.unknownKey", .warning, at: "\(key.path).\(name)", Self.unknownInText)
            }
        }
        report("alert.liveActivityForm", .info, at: key.path, "only a Live Activity's alert has a dictionary here")
        return nil
    }
}
