/// How telephone numbers are dialled in a region.
///
/// - Source: ITU-T E.164 for the country codes; the prefixes are general knowledge of ITU-T's dialling procedures.
struct PhoneRegion: Sendable {
    /// What follows `+`.
    var countryCode: String
    /// What stands before a number within the country; empty for nothing.
    var trunkPrefix: String
    /// What is dialled before a country code.
    var internationalPrefix: String

    /// - Parameter code: ISO 3166-1, such as `JP`.
    /// - Returns: nil for a region that is not in the table; then national numbers are compared as they stand.
    init?(code: String) {
        guard let row = Self.rows[code] else { return nil }
        self = row
    }

    private init(_ countryCode: String, trunk: String = "0", international: String = "00") {
        self.countryCode = countryCode
        trunkPrefix = trunk
        internationalPrefix = international
    }

    private static let northAmerica = PhoneRegion("1", trunk: "1", international: "011")

    private static let rows: [String: PhoneRegion] = [
        "US": northAmerica, "CA": northAmerica, "PR": northAmerica, "JM": northAmerica, "DO": northAmerica,
        "TT": northAmerica, "BS": northAmerica, "BB": northAmerica,
        "JP": .init("81", international: "010"), "KR": .init("82", international: "001"), "CN": .init("86"),
        "TW": .init("886", international: "002"), "HK": .init("852", trunk: "", international: "001"),
        "SG": .init("65", trunk: "", international: "001"), "IN": .init("91"), "ID": .init("62", international: "001"),
        "MY": .init("60"), "PH": .init("63"), "TH": .init("66", international: "001"), "VN": .init("84"),
        "AU": .init("61", international: "0011"), "NZ": .init("64"), "PK": .init("92"), "BD": .init("880"),
        "LK": .init("94"), "NP": .init("977"), "AE": .init("971"), "SA": .init("966"), "IL": .init("972"),
        "TR": .init("90"), "IR": .init("98"), "EG": .init("20"), "ZA": .init("27"),
        "NG": .init("234", international: "009"),
        "KE": .init("254", international: "000"), "MA": .init("212"), "GB": .init("44"), "IE": .init("353"),
        "DE": .init("49"), "AT": .init("43"), "CH": .init("41"), "FR": .init("33"), "BE": .init("32"),
        "NL": .init("31"),
        "LU": .init("352", trunk: ""), "SE": .init("46"), "FI": .init("358"), "UA": .init("380"), "RO": .init("40"),
        "BG": .init("359"), "HR": .init("385"), "RS": .init("381"), "SI": .init("386"), "SK": .init("421"),
        "HU": .init("36", trunk: "06"), "RU": .init("7", trunk: "8", international: "810"),
        "KZ": .init("7", trunk: "8", international: "810"), "LT": .init("370"),
        "BR": .init("55"), "AR": .init("54"), "PE": .init("51"), "VE": .init("58"), "EC": .init("593"),
        // No prefix within the country; an Italian 0 belongs to the number.
        "IT": .init("39", trunk: ""), "ES": .init("34", trunk: ""), "PT": .init("351", trunk: ""),
        "DK": .init("45", trunk: ""), "NO": .init("47", trunk: ""), "IS": .init("354", trunk: ""),
        "PL": .init("48", trunk: ""), "CZ": .init("420", trunk: ""), "GR": .init("30", trunk: ""),
        "CY": .init("357", trunk: ""), "MT": .init("356", trunk: ""), "EE": .init("372", trunk: ""),
        "LV": .init("371", trunk: ""), "MX": .init("52", trunk: ""), "CL": .init("56", trunk: ""),
        "CO": .init("57", trunk: ""), "CR": .init("506", trunk: ""), "PA": .init("507", trunk: ""),
    ]
}
