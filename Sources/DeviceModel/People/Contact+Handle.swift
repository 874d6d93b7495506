extension Contact {
    /// Whether a handle is one of the contact's; one of unknown type never is (E.3).
    func has(_ handle: Person.Handle, region: String) -> Bool {
        switch handle.type {
        case .unknown: return false
        case .emailAddress:
            let address = handle.value.lowercased()
            return emails.contains { $0.lowercased() == address }
        case .phoneNumber:
            guard let number = PhoneNumber(handle.value, region: region) else { return false }
            return phones.contains { PhoneNumber($0, region: region) == number }
        }
    }
}
