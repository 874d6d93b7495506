internal import Synchronization

/// Texts that somebody else wants kept with the rest: the clock, keys, what the configuration said.
extension DeviceSimulator {
    /// Keeps a text under a name; nil forgets it.
    package func note(_ text: String?, as key: String) { store.withLock { $0.note(text, as: key) } }

    /// The text of a name.
    package func note(_ key: String) -> String? { store.withLock { $0.notes[key] } }

    /// All texts whose names begin so.
    package func notes(beginning prefix: String) -> [String: String] {
        store.withLock { $0.notes.filter { $0.key.hasPrefix(prefix) } }
    }
}
