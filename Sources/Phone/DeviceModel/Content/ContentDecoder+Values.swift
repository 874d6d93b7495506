internal import JSON

/// Reads values of one kind and reports any other.
extension ContentDecoder {
    mutating func text(at path: @autoclosure () -> String) -> String? {
        guard reader.kind() == .string else {
            wrong("payload.type", at: path(), "must be a string")
            return nil
        }
        return reader.string()
    }

    /// Takes numbers in the array as written, as `%@` would show them.
    mutating func texts(at path: @autoclosure () -> String) -> [String] {
        guard reader.kind() == .array else {
            wrong("payload.type", at: path(), "must be an array of strings")
            return []
        }
        var texts: [String] = []
        reader.enter()
        while reader.nextElement() {
            switch reader.kind() {
            case .string: texts.append(reader.string())
            case .number:
                texts.append(reader.number())
                report("payload.type", .warning, at: "\(path())[\(texts.count - 1)]", "must be a string")
            default: wrong("payload.type", at: "\(path())[\(texts.count)]", "must be a string")
            }
        }
        return texts
    }

    /// Apple documents flags as the number 1.
    mutating func flag(at path: @autoclosure () -> String, isNumberOnly: Bool = false) -> Bool? {
        switch reader.kind() {
        case .number:
            let number = reader.wholeNumber()
            if number != 0, number != 1 {
                report("payload.type", .warning, at: path(), "only the number 1 turns it on")
            }
            return number == 1
        case .bool:
            let isOn = reader.bool()
            if isNumberOnly {
                report("payload.type", .warning, at: path(), "only the number 1 turns it on")
                return false
            }
            // Assumption: a Boolean reads as its number, as NSNumber does.
            report("payload.type", .info, at: path(), "is documented as the number 1")
            return isOn
        default:
            wrong("payload.type", at: path(), "must be the number 1")
            return nil
        }
    }

    /// A file name, `default`, or a critical alert's dictionary; an empty name is silent.
    mutating func sound(at path: @autoclosure () -> String) {
        switch reader.kind() {
        case .string:
            let name = reader.string()
            content.sound = name.isEmpty ? nil : NotificationSound(named: name)
        case .object: soundDictionary(at: path())
        default: wrong("payload.type", at: path(), "`sound` must be a string or a dictionary")
        }
    }

    private mutating func soundDictionary(at path: @autoclosure () -> String) {
        var name = "default"
        var isCritical = false
        var volume: Double?
        reader.enter()
        while reader.nextElement() {
            let place = reader.position
            switch reader.key(AlertKey.init) {
            case .name: name = text(at: "\(path()).name") ?? name
            case .critical: isCritical = flag(at: "\(path()).critical") ?? isCritical
            case .volume: volume = self.volume(at: "\(path()).volume") ?? volume
            default:
                unknown(
                    at: place, in: .sound, path(), "sound.unknownKey",
                    "unknown key: a sound has `critical`, `name` and `volume`")
            }
        }
        if volume != nil, !isCritical {
            report("volume.ordinary", .warning, at: "\(path()).volume", "no effect without `critical: 1`")
        }
        if isCritical {
            content.sound = .critical(name: name.isEmpty ? "default" : name, volume: volume ?? 1)
        } else {
            content.sound = name.isEmpty ? nil : NotificationSound(named: name)
        }
    }

    private mutating func volume(at path: @autoclosure () -> String) -> Double? {
        guard let volume = number(at: path()) else { return nil }
        if !(0...1 ~= volume) { report("volume.range", .warning, at: path(), "`volume` is 0…1; clamped") }
        return min(max(volume, 0), 1)
    }

    mutating func number(at path: @autoclosure () -> String) -> Double? {
        guard reader.kind() == .number else {
            wrong("payload.type", at: path(), "must be a number")
            return nil
        }
        return Double(reader.number())
    }

    mutating func wrong(_ id: String, at path: @autoclosure () -> String, _ message: String) {
        let isNull = reader.kind() == .null
        reader.skip()
        if isNull { return nulls.append(path()) }
        report(id, .error, at: path(), message)
    }

    /// One finding for all members that are null: libraries write them for everything that is not set.
    mutating func reportNulls() {
        guard let first = nulls.first else { return }
        let names = nulls[1...].prefix(2).joined(separator: ", ")
        let others = nulls.count > 3 ? " and \(nulls.count - 3) more" : ""
        var finding = Finding(
            "payload.type", .error, at: first,
            "null has no meaning and is ignored\(names.isEmpty ? "" : " (also \(names)\(others))"): "
                + "leave out what is not set")
        finding.fix = #"{"aps": {"alert": "Hi"}}"#
        findings.append(finding)
    }

    mutating func report(
        _ id: String, _ severity: Finding.Severity, at path: @autoclosure () -> String, _ message: String,
        fix: String? = nil
    ) {
        let path = path()
        let example = id == "payload.type" ? KeyPlace.example(at: path) : nil
        findings.append(Finding(id, severity, at: path, message, fix: fix ?? example))
    }
}
