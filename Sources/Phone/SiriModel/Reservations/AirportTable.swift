internal import CDocuments

/// An airport's place and clock.
package struct KnownAirport: Sendable, Hashable {
    package let iata: String
    package let icao: String
    package let name: String
    package let latitude: Double
    package let longitude: Double
    package let timeZone: String

    init?(_ line: Substring) {
        let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
        guard columns.count == 6, let latitude = Double(columns[3]), let longitude = Double(columns[4]) else {
            return nil
        }
        (iata, icao, name) = (String(columns[0]), String(columns[1]), String(columns[2]))
        (self.latitude, self.longitude, timeZone) = (latitude, longitude, String(columns[5]))
    }
}

/// The airports of `airports.tsv`: busy ones, to two decimals of a degree; other codes have no place.
package enum AirportTable {
    package static let all: [KnownAirport] = String(cString: documents_airports())
        .split(separator: "\n").compactMap { KnownAirport($0) }

    private static let byCode = Dictionary(
        all.flatMap { [($0.iata, $0), ($0.icao, $0)] }, uniquingKeysWith: { first, _ in first })

    /// - Parameter code: IATA or ICAO, in either case.
    package static func airport(_ code: String) -> KnownAirport? { byCode[code.uppercased()] }
}
