internal import Foundation

/// Which names of time zones a device understands.
enum KnownTimeZones {
    /// Whether a name is one of the time zone database.
    static func contains(_ name: String) -> Bool { TimeZone(identifier: name) != nil }
}
