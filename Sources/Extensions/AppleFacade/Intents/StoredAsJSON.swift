public import ExtensionWire
internal import Foundation

/// A type that the protocol sends as JSON: by default, its stored properties under their names.
package protocol StoredAsJSON {
    var json: WireValue { get }
}

extension StoredAsJSON {
    package var json: WireValue { .object(storedMembers()) }

    /// The stored properties, inherited ones included: `null` for nil, the case name for an enum.
    /// - Parameter base: Omits the properties of this superclass and its superclasses.
    func storedMembers(below base: AnyClass? = nil) -> [String: WireValue] {
        var members: [String: WireValue] = [:]
        for mirror in sequence(first: Mirror(reflecting: self), next: \.superclassMirror) {
            if mirror.subjectType == base { break }
            for child in mirror.children {
                guard let label = child.label else { continue }
                // A property wrapper's storage begins with an underscore.
                members[label.hasPrefix("_") ? String(label.dropFirst()) : label] = WireValue(stored: child.value)
            }
        }
        return members
    }
}

/// The base of Apple's immutable classes: equal objects have equal JSON.
open class INValue: CopiedByReference, StoredAsJSON {
    package var json: WireValue { .object(storedMembers()) }

    open override func isEqual(_ object: Any?) -> Bool { (object as? INValue)?.json == json }

    open override var hash: Int { json.hashValue }
}

extension [String: WireValue] {
    /// Without the members that are null.
    var withoutNulls: Self { filter { $0.value != .null } }

    mutating func rename(_ name: String, to newName: String) { self[newName] = removeValue(forKey: name) }
}

extension WireValue {
    fileprivate init(stored value: Any) {
        switch value {
        case let value as any StoredAsJSON: self = value.json
        case let values as [Any]: self = .array(values.map { WireValue(stored: $0) })
        case let words as Set<String>: self = .words(words.sorted())
        default:
            let mirror = Mirror(reflecting: value)
            switch mirror.displayStyle {
            case .optional: self = mirror.children.first.map { WireValue(stored: $0.value) } ?? .null
            case .enum: self = .string("\(value)")
            default: self.init(foundationObject: (value as? any RawRepresentable<String>)?.rawValue ?? value)
            }
        }
    }
}
