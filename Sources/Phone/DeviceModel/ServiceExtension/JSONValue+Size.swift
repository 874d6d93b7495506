package import JSON

extension JSONValue {
    /// The approximate length as JSON; counts no further than the limit, so a long message takes no longer than a short one.
    ///
    /// - Parameter besidesPictures: Leaves out the bytes of pictures in an intent (`communication`), which become files.
    package func byteCount(upTo limit: Int, besidesPictures: Bool = false) -> Int {
        var left = limit
        count(&left, besidesPictures ? .outside : .never)
        return limit - left
    }

    private enum Pictures { case never, outside, inIntent }

    private func count(_ left: inout Int, _ pictures: Pictures) {
        switch self {
        case .null: left -= 4
        case .bool(let isTrue): left -= isTrue ? 4 : 5
        case .integer(let number): left -= "\(number)".utf8.count
        case .number(let number): left -= "\(number)".utf8.count
        case .string(let text): left -= text.utf8.count + 2
        case .verbatim(let bytes): left -= bytes.count
        case .array(let elements):
            left -= 2
            for element in elements {
                guard left >= 0 else { return }
                left -= 1
                element.count(&left, pictures)
            }
        case .object(let members):
            left -= 2
            let isPicture = pictures == .inIntent && members["kind"] == .string("data")
            for (name, value) in members {
                guard left >= 0 else { return }
                left -= name.utf8.count + 4
                if isPicture, name == "value" { continue }
                switch (pictures, name) {
                case (.outside, "communication"): value.count(&left, .inIntent)
                // It is stored as it is.
                case (_, "userInfo"): value.count(&left, .never)
                default: value.count(&left, pictures)
                }
            }
        }
    }
}
