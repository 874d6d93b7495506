internal import DequeModule
internal import RequestWire
internal import Time

/// Lists of devices by what they have in common: a channel or a person.
struct DeviceLists {
    private var lists: [String: DeviceList] = [:]

    init() {}

    /// Sorts each list once: adding devices in any order would move most of the others each time.
    init(_ lists: [String: [Device]]) { self.lists = lists.mapValues { DeviceList($0) } }

    subscript(key: String) -> DeviceList { lists[key] ?? DeviceList([]) }

    mutating func insert(_ device: Device, in key: String) { lists[key, default: DeviceList([])].insert(device) }

    mutating func remove(_ device: Device, from key: String) {
        lists[key]?.remove(device)
        if lists[key]?.devices.isEmpty == true { lists[key] = nil }
    }
}

/// Devices in order of creation. They tend to leave in that order, so removing the first is cheap.
struct DeviceList {
    private(set) var devices: Deque<Device> = []

    fileprivate init(_ devices: [Device]) {
        self.devices = Deque(devices.sorted { DevicePosition($0) < DevicePosition($1) })
    }

    /// - Parameter guess: The place of the first one, tried before searching.
    func next(_ limit: Int, after position: DevicePosition?, near guess: Int = 0) -> Slice<Deque<Device>> {
        let start = position.map { place(after: $0, near: guess) } ?? 0
        return devices[start..<min(devices.count, start + limit)]
    }

    private func place(after position: DevicePosition, near guess: Int) -> Int {
        let isRight = devices.indices.contains(guess - 1) && DevicePosition(devices[guess - 1]) == position
        return isRight ? guess : place(after: position)
    }

    mutating func insert(_ device: Device) {
        let position = DevicePosition(device)
        // The common case: devices subscribe in order of creation.
        guard let last = devices.last, position < DevicePosition(last) else { return devices.append(device) }
        devices.insert(device, at: place(after: position))
    }

    mutating func remove(_ device: Device) {
        let end = place(after: DevicePosition(device))
        guard end > 0, devices[end - 1] === device else { return }
        devices.remove(at: end - 1)
    }

    private func place(after position: DevicePosition) -> Int {
        devices.indices.partitionPoint { DevicePosition(devices[$0]) <= position }
    }
}

/// The place of a device in the order of creation; devices created in the same millisecond are in order of name.
struct DevicePosition: Comparable, Codable {
    /// In milliseconds.
    var createdAt: Int64
    var name: String

    init(_ device: Device) {
        createdAt = device.createdAt.milliseconds
        name = device.name
    }

    static func < (left: Self, right: Self) -> Bool {
        left.createdAt == right.createdAt ? left.name < right.name : left.createdAt < right.createdAt
    }
}
