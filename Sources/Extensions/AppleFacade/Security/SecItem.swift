// Apple's names begin with capitals.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import Foundation

// Apple's code casts to these names: `query as CFDictionary`.
public typealias CFDictionary = [AnyHashable: Any]
public typealias CFString = String
public typealias CFTypeRef = AnyObject
public typealias CFBoolean = Bool
public typealias OSStatus = Int32

public let kCFBooleanTrue: CFBoolean! = true
public let kCFBooleanFalse: CFBoolean! = false

public let errSecSuccess: OSStatus = 0
public let errSecParam: OSStatus = -50
public let errSecDuplicateItem: OSStatus = -25299
public let errSecItemNotFound: OSStatus = -25300
public let errSecInteractionNotAllowed: OSStatus = -25308

public let kSecClass: CFString = "class"
public let kSecClassGenericPassword: CFString = "genp"
public let kSecClassInternetPassword: CFString = "inet"
public let kSecClassKey: CFString = "keys"
public let kSecAttrService: CFString = "svce"
public let kSecAttrAccount: CFString = "acct"
public let kSecAttrServer: CFString = "srvr"
public let kSecAttrAccessGroup: CFString = "agrp"
public let kSecAttrApplicationTag: CFString = "atag"
public let kSecAttrLabel: CFString = "labl"
public let kSecAttrGeneric: CFString = "gena"
public let kSecAttrAccessible: CFString = "pdmn"
public let kSecAttrAccessibleAfterFirstUnlock: CFString = "ck"
public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString = "cku"
public let kSecAttrAccessibleWhenUnlocked: CFString = "ak"
public let kSecAttrSynchronizable: CFString = "sync"
public let kSecAttrSynchronizableAny: CFString = "syna"
public let kSecUseDataProtectionKeychain: CFString = "nleg"
public let kSecValueData: CFString = "v_Data"
public let kSecReturnData: CFString = "r_Data"
public let kSecReturnAttributes: CFString = "r_Attributes"
public let kSecMatchLimit: CFString = "m_Limit"
public let kSecMatchLimitOne: CFString = "m_LimitOne"
public let kSecMatchLimitAll: CFString = "m_LimitAll"

@discardableResult
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    Keychain.change { items in
        let item = KeychainItem(attributes)
        guard !items.contains(where: { $0.isSame(as: item) }) else { return errSecDuplicateItem }
        items.append(item)
        if let answer = Keychain.answer(attributes, item) { result?.pointee = answer }
        return errSecSuccess
    }
}

/// Finds one item, or all with `kSecMatchLimitAll`.
@discardableResult
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    Keychain.change { items in
        let found = items.filter { $0.matches(query) }
        guard let first = found.first else { return errSecItemNotFound }
        if query[kSecMatchLimit] as? String == kSecMatchLimitAll {
            result?.pointee = NSArray(array: found.compactMap { Keychain.answer(query, $0) })
        } else {
            result?.pointee = Keychain.answer(query, first)
        }
        return errSecSuccess
    }
}

@discardableResult
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
    Keychain.change { items in
        let found = items.indices.filter { items[$0].matches(query) }
        guard !found.isEmpty else { return errSecItemNotFound }
        for index in found { items[index].update(attributesToUpdate) }
        return errSecSuccess
    }
}

@discardableResult
public func SecItemDelete(_ query: CFDictionary) -> OSStatus {
    Keychain.change { items in
        let count = items.count
        items.removeAll { $0.matches(query) }
        return items.count < count ? errSecSuccess : errSecItemNotFound
    }
}

public func SecCopyErrorMessageString(_ status: OSStatus, _ reserved: UnsafeMutableRawPointer?) -> CFString? {
    switch status {
    case errSecSuccess: "No error."
    case errSecParam: "One or more parameters passed to the function were not valid."
    case errSecDuplicateItem: "The specified item already exists in the keychain."
    case errSecItemNotFound: "The specified item could not be found in the keychain."
    case errSecInteractionNotAllowed: "User interaction is not allowed."
    default: "OSStatus \(status)"
    }
}
