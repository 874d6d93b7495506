internal import Foundation

extension LocalCalendar {
    /// Whether a name is that of a time zone.
    public static func isValid(_ name: String) -> Bool { TimeZone(identifier: name) != nil }

    /// The zones whose names are most like an unknown one, the nearest first, for an error message.
    ///
    /// The name is compared with whole names and with their cities: `Tokio` and `asia/tokyo` both find `Asia/Tokyo`.
    public static func names(near name: String, count: Int = 3) -> [String] {
        let wanted = Array(name.lowercased().utf8.prefix(64))
        let known = (TimeZone.knownTimeZoneIdentifiers + ["UTC"]).map { known -> (name: String, distance: Int) in
            let whole = Array(known.lowercased().utf8)
            let city = Array(whole.split(separator: UInt8(ascii: "/")).last ?? [])
            return (known, min(distance(wanted, whole), distance(wanted, city)))
        }
        return known.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }.prefix(count).map(\.name)
    }

    /// How many bytes to insert, remove or replace to get from one text to another (Levenshtein).
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var row = Array(0...right.count)
        for (line, byte) in left.enumerated() {
            var diagonal = row[0]
            row[0] = line + 1
            for column in right.indices {
                let replaced = diagonal + (byte == right[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, diagonal + 1, row[column] + 1)
            }
        }
        return row[right.count]
    }
}
