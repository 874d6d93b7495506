internal import APNs
internal import DeviceModel
internal import JSON

extension DeviceState {
    /// An app leaves the device with everything that it has there (I.6); its tokens are the store's.
    mutating func uninstall(_ bundleID: String, _ act: DeviceAct, at now: Instant, in catalog: AppCatalog) {
        note(.act(act), at: now)
        for waiting in held where waiting.arrival.bundleID == bundleID {
            drop(waiting.arrival, .uninstalled, at: now)
        }
        for waiting in extending where waiting.arrival.bundleID == bundleID {
            drop(waiting.arrival, .uninstalled, at: now)
        }
        for place in inbox.indices where inbox[place].bundleID == bundleID {
            let places = inbox[place].places
            if places.isPresent || places.contains(.banner) { remove(place, .uninstalled, at: now) }
        }
        if let badge = app(bundleID)?.badge, badge > 0 {
            note(.badge, nil, app: bundleID, ["count": .integer(0)], at: now)
        }
        apps.removeAll { $0.bundleID == bundleID }
        collapsed = collapsed.filter { $0.key.bundleID != bundleID }
        revision &+= 1
        guard conditions.value.foregroundApp == bundleID else { return }
        var device = conditions.value
        device.foregroundApp = nil
        become(device, focusCause: "person", at: now, in: catalog)
    }
}

extension Store {
    /// Makes the tokens of an app invalid that is gone. It follows from the act, so it is not recorded by itself.
    func unregister(_ bundleID: String, on device: Device, at now: Instant) {
        for registration in device.registrations
        where registration.bundleID == bundleID && registration.status == .active {
            registration.status = .unregistered(since: now)
        }
    }
}

extension Device {
    /// Whether an app is registered by another token than this one: its own, not one of those with a suffix.
    func isInstalled(besides token: RegistrationEntry) -> Bool {
        registrations.contains { other in
            other !== token && other.bundleID == token.bundleID && other.kind == .app && other.status == .active
        }
    }
}
