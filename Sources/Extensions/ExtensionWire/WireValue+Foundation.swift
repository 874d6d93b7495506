internal import Foundation

// `userInfo` is `[AnyHashable: Any]` on iOS, so here JSON meets `Any`.
extension WireValue {
    /// What `JSONSerialization` would make of it: strings, numbers, arrays, dictionaries, `NSNull`.
    package var foundationObject: Any {
        switch self {
        case .null: NSNull()
        case .bool(let value): NSNumber(value: value)
        case .integer(let number): NSNumber(value: number)
        case .number(let number): NSNumber(value: number)
        case .string(let string): string
        case .array(let elements): elements.map(\.foundationObject)
        case .object(let members): members.mapValues(\.foundationObject)
        }
    }

    /// A property list's value as JSON: dates as ISO 8601, data as Base64. What JSON cannot say becomes its description.
    package init(foundationObject object: Any) {
        switch object {
        case let string as String: self = .string(string)
        case let number as NSNumber: self = Self(number)
        case let date as Date: self.init(date)
        case let data as Data: self = .string(data.base64EncodedString())
        case let url as URL: self = .string(url.absoluteString)
        case let uuid as UUID: self = .string(uuid.uuidString)
        case let elements as [Any]: self = .array(elements.map { WireValue(foundationObject: $0) })
        case let members as [AnyHashable: Any]:
            self = .object(
                Dictionary(
                    members.map { (Self.name($0.key), WireValue(foundationObject: $0.value)) },
                    uniquingKeysWith: { first, _ in first }))
        case is NSNull: self = .null
        default: self = .string(String(describing: object))
        }
    }

    private init(_ number: NSNumber) {
        // Foundation keeps truth values as numbers of C's `char`.
        switch UInt8(bitPattern: number.objCType.pointee) {
        case UInt8(ascii: "c"), UInt8(ascii: "B"): self = .bool(number.boolValue)
        case UInt8(ascii: "f"), UInt8(ascii: "d"): self = .number(number.doubleValue)
        default: self = .integer(number.intValue)
        }
    }

    private static func name(_ key: AnyHashable) -> String {
        key.base as? String ?? String(describing: key.base)
    }
}
