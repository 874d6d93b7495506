internal import Fields
internal import Foundation

extension LocalCalendar {
    /// Whether a name is that of a time zone.
    package static func isValid(_ name: String) -> Bool { TimeZone(identifier: name) != nil }

    /// The zones whose names are most like an unknown one, the nearest first, for an error message.
    ///
    /// The name is compared with whole names and with their cities: `Tokio` and `asia/tokyo` both find `Asia/Tokyo`.
    package static func names(near name: String, count: Int = 3) -> [String] {
        let wanted = name.lowercased().prefix(64)
        let known = (TimeZone.knownTimeZoneIdentifiers + ["UTC"]).map { known -> (name: String, distance: Int) in
            let whole = known.lowercased()
            let city = whole.split(separator: "/").last ?? ""
            return (known, min(NearestName.distance(wanted, whole), NearestName.distance(wanted, city)))
        }
        return known.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }.prefix(count).map(\.name)
    }
}
