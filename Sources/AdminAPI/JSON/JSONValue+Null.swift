internal import DeviceModel
internal import Fields
internal import JSON

extension JSONValue {
    /// Where the first `null` stands, in the alphabetical order of members; nil when there is none.
    func firstNull(at path: FieldPath = FieldPath()) -> FieldPath? {
        switch self {
        case .null: path
        case .bool, .integer, .number, .string: nil
        case .array(let elements):
            elements.enumerated().lazy.compactMap { $0.element.firstNull(at: path.element($0.offset)) }.first
        case .object(let members):
            members.sorted { $0.key < $1.key }.lazy.compactMap { $0.value.firstNull(at: path.member($0.key)) }.first
        }
    }
}
