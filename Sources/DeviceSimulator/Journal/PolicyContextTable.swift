internal import APNs
internal import DeviceModel

/// Numbers the circumstances that a checkpoint's notifications share, and what those consist of: each distinct value is
/// written once.
struct PolicyContextTable {
    /// Writes an item of a checkpoint.
    typealias WriteItem = (StoreImage.ItemCode, (inout RecordWriter) -> Void) -> Void

    private struct Parts: Hashable {
        var conditions: UInt32
        var app: UInt32
        var settings: UInt32
        var assumptions: UInt32
    }

    private var conditions: [DeviceConditions: UInt32] = [:]
    private var apps: [App: UInt32] = [:]
    private var settings: [NotificationSettings: UInt32] = [:]
    private var assumptions: [Assumptions: UInt32] = [:]
    private var circumstances: [Parts: UInt32] = [:]
    /// The objects that were met; the image holds on to them.
    private var known: [ObjectIdentifier: UInt32] = [:]

    /// The number of circumstances; what is new is written first.
    mutating func number(of around: PolicyContext, _ item: WriteItem) -> UInt32 {
        if let number = known[ObjectIdentifier(around)] { return number }
        let parts = Parts(
            conditions: number(of: around.device, item),
            app: Self.number(of: around.app, in: &apps, .app, item),
            settings: Self.number(of: around.settings, in: &settings, .settings, item),
            assumptions: Self.number(of: around.assumptions, in: &assumptions, .assumptions, item))
        let number = circumstances[parts] ?? UInt32(circumstances.count)
        if circumstances.updateValue(number, forKey: parts) == nil {
            item(.circumstances) { record in
                for part in [parts.conditions, parts.app, parts.settings, parts.assumptions] { record.put(part) }
            }
        }
        known[ObjectIdentifier(around)] = number
        return number
    }

    /// The number of conditions; new ones are written first.
    mutating func number(of device: DeviceConditions, _ item: WriteItem) -> UInt32 {
        Self.number(of: device, in: &conditions, .conditions, item)
    }

    private static func number<Value: Hashable & Encodable>(
        of value: Value, in numbers: inout [Value: UInt32], _ code: StoreImage.ItemCode, _ item: WriteItem
    ) -> UInt32 {
        if let number = numbers[value] { return number }
        let number = UInt32(numbers.count)
        numbers[value] = number
        item(code) { $0.put(bytes: RecordCoding.json(value)) }
        return number
    }
}

/// What the items of a checkpoint that were read so far are to those that follow.
struct RestoredItems {
    var registrations: [RegistrationEntry] = []
    var conditions: [Shared<DeviceConditions>] = []
    var apps: [App] = []
    var settings: [NotificationSettings] = []
    var assumptions: [Assumptions] = []
    var circumstances: [PolicyContext] = []
    /// Devices with pushes that wait, by name: the pushes come later.
    var waiting: [String: DeviceDetails] = [:]

    /// Puts circumstances together from what was read before.
    mutating func addCircumstances(_ item: inout RecordReader) throws(RecordDamage) {
        circumstances.append(
            PolicyContext(
                device: try conditions.at(try item.number()).value, app: try apps.at(try item.number()),
                settings: try settings.at(try item.number()), assumptions: try assumptions.at(try item.number())))
    }
}

extension Array {
    /// The element of a number that was read.
    func at(_ number: UInt32) throws(RecordDamage) -> Element {
        guard indices.contains(Int(number)) else { throw RecordDamage() }
        return self[Int(number)]
    }
}
