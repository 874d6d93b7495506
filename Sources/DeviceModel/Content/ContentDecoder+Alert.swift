/// `aps.alert`, in its two forms.
extension ContentDecoder {
    /// The `-loc-key` and `-loc-args` of a text, which may come in either order.
    private struct Lookup {
        var key: String?
        var arguments: [String] = []

        var text: LocalizedText? {
            key.flatMap { $0.isEmpty ? nil : LocalizedText(key: $0, arguments: arguments) }
        }
    }

    /// Reads `aps.alert`: a string is the body.
    mutating func alert(at path: String) {
        switch reader.kind() {
        case .string: content.body = reader.string()
        case .object: alertDictionary(at: path)
        default: wrong("payload.type", at: path, "`alert` must be a dictionary or a string")
        }
    }

    private mutating func alertDictionary(at path: String) {
        var title = Lookup()
        var subtitle = Lookup()
        var body = Lookup()
        reader.enter()
        while let key = reader.nextKey() {
            let path = "\(path).\(key)"
            switch key {
            case "title": text(at: path, or: &title).map { content.title = $0 }
            case "subtitle": text(at: path, or: &subtitle).map { content.subtitle = $0 }
            case "body": text(at: path, or: &body).map { content.body = $0 }
            case "title-loc-key": title.key = text(at: path)
            case "title-loc-args": title.arguments = texts(at: path)
            case "subtitle-loc-key": subtitle.key = text(at: path)
            case "subtitle-loc-args": subtitle.arguments = texts(at: path)
            case "loc-key": body.key = text(at: path)
            case "loc-args": body.arguments = texts(at: path)
            case "launch-image": text(at: path).map { content.launchImageName = $0 }
            case "sound": sound(at: path)  // where a Live Activity has it
            case "action", "action-loc-key", "summary-arg", "summary-arg-count":
                reader.skip()
                report("alert.ignoredKey", .info, at: path, "`\(key)` has no effect any more")
            default:
                reader.skip()
                report("alert.unknownKey", .warning, at: path, "unknown key: custom keys belong beside `aps`")
            }
        }
        content.titleLocalization = title.text
        content.subtitleLocalization = subtitle.text
        content.bodyLocalization = body.text
    }

    /// A string, or the dictionary `{"loc-key", "loc-args"}` that a Live Activity has in its place.
    private mutating func text(at path: String, or lookup: inout Lookup) -> String? {
        guard reader.kind() == .object else { return text(at: path) }
        reader.enter()
        while let key = reader.nextKey() {
            switch key {
            case "loc-key": lookup.key = text(at: "\(path).\(key)")
            case "loc-args": lookup.arguments = texts(at: "\(path).\(key)")
            default: reader.skip()
            }
        }
        report("alert.liveActivityForm", .info, at: path, "only a Live Activity's alert has a dictionary here")
        return nil
    }
}
