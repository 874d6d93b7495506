internal import ExtensionWire
internal import Foundation

/// A test keychain: an unencrypted JSON file in the extension's folder.
enum Keychain {
    private static let lock = NSLock()

    /// Writes the file if `body` changes the items.
    /// - Returns: What `body` returns, or `errSecInteractionNotAllowed` before first unlock.
    static func change(_ body: (inout [KeychainItem]) -> OSStatus) -> OSStatus {
        let surroundings = HostConnection.shared.surroundings
        guard surroundings.isUnlockedSinceBoot else { return errSecInteractionNotAllowed }
        let file = surroundings.groups.appendingPathComponent(".keychain.json")
        return lock.withLock {
            var items = (try? JSONDecoder().decode([KeychainItem].self, from: Data(contentsOf: file))) ?? []
            let before = items
            let status = body(&items)
            guard items != before else { return status }
            do {
                try FileManager.default.createDirectory(at: surroundings.groups, withIntermediateDirectories: true)
                try JSONEncoder().encode(items).write(to: file, options: .atomic)
            } catch {
                return errSecInteractionNotAllowed
            }
            return status
        }
    }

    /// The data, the attributes or both, as the query requests; nil for neither.
    static func answer(_ query: CFDictionary, _ item: KeychainItem) -> CFTypeRef? {
        let wantsData = query[kSecReturnData] as? Bool == true
        guard query[kSecReturnAttributes] as? Bool == true else {
            return wantsData ? item.value.map { NSData(data: $0) } : nil
        }
        var members: [String: Any] = item.attributes
        if wantsData { members[kSecValueData] = item.value }
        return NSDictionary(dictionary: members)
    }
}

struct KeychainItem: Codable, Equatable {
    var attributes: [String: String]
    var value: Data?

    init(_ attributes: CFDictionary) {
        self.attributes = [:]
        update(attributes)
    }

    mutating func update(_ changes: CFDictionary) {
        attributes.merge(Self.searchable(changes)) { _, new in new }
        if let data = changes[kSecValueData] as? Data { value = data }
    }

    func matches(_ query: CFDictionary) -> Bool {
        Self.searchable(query).allSatisfy { $0.key == kSecAttrAccessible || attributes[$0.key] == $0.value }
    }

    func isSame(as other: KeychainItem) -> Bool {
        [kSecClass, kSecAttrService, kSecAttrServer, kSecAttrAccount, kSecAttrAccessGroup, kSecAttrApplicationTag]
            .allSatisfy { attributes[$0] == other.attributes[$0] }
    }

    private static func searchable(_ query: CFDictionary) -> [String: String] {
        var found: [String: String] = [:]
        for (key, value) in query {
            guard let key = key.base as? String, !key.hasPrefix("r_"), !key.hasPrefix("m_"), key != kSecValueData,
                key != kSecUseDataProtectionKeychain, key != kSecAttrSynchronizable
            else { continue }
            found[key] = (value as? Data)?.base64EncodedString() ?? "\(value)"
        }
        return found
    }
}
