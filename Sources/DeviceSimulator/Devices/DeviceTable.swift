/// The devices by name.
///
/// Divided into shards, so that the first device that is made or deleted while a checkpoint holds a copy costs the copy of one
/// shard, and no insertion rehashes all devices.
struct DeviceTable {
    private static let shardCount = 256

    private var shards = [[String: Device]](repeating: [:], count: shardCount)
    private(set) var count = 0

    private static func shard(of name: String) -> Int { Int(truncatingIfNeeded: name.hashValue) & (shardCount - 1) }

    subscript(name: String) -> Device? { shards[Self.shard(of: name)][name] }

    /// Adds a device whose name no other has.
    mutating func insert(_ device: Device) {
        shards[Self.shard(of: device.name)][device.name] = device
        count += 1
    }

    mutating func remove(_ name: String) -> Device? {
        guard let device = shards[Self.shard(of: name)].removeValue(forKey: name) else { return nil }
        count -= 1
        return device
    }

    /// All devices, in no particular order.
    var values: some Sequence<Device> { shards.lazy.map(\.values).joined() }

    /// The names of all devices, in no particular order.
    var keys: some Sequence<String> { shards.lazy.map(\.keys).joined() }
}
