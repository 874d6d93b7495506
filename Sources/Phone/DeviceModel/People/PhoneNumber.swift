/// A telephone number normalized for comparison: `+81312345678` (ITU-T E.164).
package struct PhoneNumber: Sendable, Hashable {
    /// `+` and digits, or digits alone for a national number of an unknown region.
    package let text: String

    /// - Parameters:
    ///   - written: May have punctuation between the digits; an extension after `;`, `,` or `x` is dropped.
    ///   - region: ISO 3166-1 code for a number without country code.
    /// - Returns: nil for anything but a number of at most 15 digits (E.164).
    package init?(_ written: String, region: String) {
        let written = Self.withoutScheme(written)
        guard let digits = Self.digits(of: written), !digits.isEmpty else { return nil }
        let number: String
        if written.first == "+" || written.first == "＋" {
            number = "+" + digits
        } else if let dialling = PhoneRegion.rows[region] {
            number = "+" + Self.international(digits, dialling)
        } else {
            number = digits
        }
        guard number.utf8.count <= 16 else { return nil }
        text = number
    }

    /// The region of a locale such as `ja_JP` or `zh-Hans-CN`; without one, the language's own or `US`.
    package static func region(ofLocale locale: String) -> String {
        let parts = locale.split { $0 == "_" || $0 == "-" || $0 == "@" }
        let region = parts.dropFirst().first { $0.count == 2 && $0.allSatisfy { ("A"..."Z").contains($0) } }
        return region.map(String.init) ?? (SystemLanguage(locale: locale) == .japanese ? "JP" : "US")
    }

    private static func withoutScheme(_ written: String) -> Substring {
        let number = written.drop { $0.isWhitespace }
        return number.lowercased().hasPrefix("tel:") ? number.dropFirst(4) : number
    }

    /// Accepts full-width digits; nil if the text has characters that numbers do not have.
    private static func digits(of written: Substring) -> String? {
        var digits = ""
        // "+44 (0)20 …" includes the prefix that is dialled only within the country.
        let isInternational = written.first == "+" || written.first == "＋"
        let number = isInternational ? written.split(separator: "(0)").joined() : String(written)
        for character in number.prefix(while: { !";,xX".contains($0) }) {
            if let digit = character.wholeNumberValue, (0...9).contains(digit) {
                digits += String(digit)
            } else if !character.isWhitespace, !"+＋-‐‑–−ー－().（）/".contains(character) {
                return nil
            }
        }
        return digits
    }

    /// The digits after `+` for a number dialled within a region.
    private static func international(_ digits: String, _ region: PhoneRegion) -> String {
        if digits.hasPrefix(region.internationalPrefix) {
            return String(digits.dropFirst(region.internationalPrefix.count))
        }
        // In North America and Russia, a ten-digit number may start with the prefix's digit; with the prefix it has 11.
        let isAmbiguous = region.trunkPrefix == region.countryCode || region.trunkPrefix == "8"
        let hasTrunkPrefix = digits.hasPrefix(region.trunkPrefix) && (!isAmbiguous || digits.count == 11)
        return region.countryCode + (hasTrunkPrefix ? String(digits.dropFirst(region.trunkPrefix.count)) : digits)
    }
}

/// Dialling prefixes of a region. Country codes are from ITU-T E.164; the prefixes are general knowledge of ITU-T's
/// dialling procedures.
private struct PhoneRegion: Sendable {
    var countryCode: String
    /// Dialled before a number within the country; may be empty.
    var trunkPrefix: String
    /// Dialled before a country code.
    var internationalPrefix: String

    init(_ countryCode: String, trunk: String = "0", international: String = "00") {
        self.countryCode = countryCode
        trunkPrefix = trunk
        internationalPrefix = international
    }

    private static let northAmerica = PhoneRegion("1", trunk: "1", international: "011")

    /// By ISO 3166-1 code; national numbers of other regions are compared as written.
    static let rows: [String: PhoneRegion] = [
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
        // No trunk prefix; an Italian 0 belongs to the number.
        "IT": .init("39", trunk: ""), "ES": .init("34", trunk: ""), "PT": .init("351", trunk: ""),
        "DK": .init("45", trunk: ""), "NO": .init("47", trunk: ""), "IS": .init("354", trunk: ""),
        "PL": .init("48", trunk: ""), "CZ": .init("420", trunk: ""), "GR": .init("30", trunk: ""),
        "CY": .init("357", trunk: ""), "MT": .init("356", trunk: ""), "EE": .init("372", trunk: ""),
        "LV": .init("371", trunk: ""), "MX": .init("52", trunk: ""), "CL": .init("56", trunk: ""),
        "CO": .init("57", trunk: ""), "CR": .init("506", trunk: ""), "PA": .init("507", trunk: ""),
    ]
}
