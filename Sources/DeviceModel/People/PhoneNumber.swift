/// A telephone number in the form in which two of them can be compared: `+81312345678` (ITU-T E.164).
package struct PhoneNumber: Sendable, Hashable {
    /// `+` and digits; digits alone when the region is unknown and the number national.
    package let text: String

    /// Reads a number as people and apps write it.
    ///
    /// - Parameters:
    ///   - written: with any punctuation between its digits; an extension after `;`, `,` or `x` does not count.
    ///   - region: ISO 3166-1 code of the region that a number without country code belongs to.
    /// - Returns: nil when it is no number, or longer than E.164's 15 digits.
    package init?(_ written: String, region: String) {
        let written = Self.withoutScheme(written)
        guard let digits = Self.digits(of: written), !digits.isEmpty else { return nil }
        let number: String
        if written.first == "+" || written.first == "＋" {
            number = "+" + digits
        } else if let dialling = PhoneRegion(code: region) {
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

    /// The digits, full-width ones included; nil when there is something in it that numbers do not have.
    private static func digits(of written: Substring) -> String? {
        var digits = ""
        // "+44 (0)20 …" names the prefix that is dialled within the country only.
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

    /// What follows `+` in a number dialled within a region.
    private static func international(_ digits: String, _ region: PhoneRegion) -> String {
        if digits.hasPrefix(region.internationalPrefix) {
            return String(digits.dropFirst(region.internationalPrefix.count))
        }
        // In North America and Russia the prefix is a digit that numbers may start with, but not one of ten digits.
        let isAmbiguous = region.trunkPrefix == region.countryCode || region.trunkPrefix == "8"
        let hasTrunkPrefix = digits.hasPrefix(region.trunkPrefix) && (!isAmbiguous || digits.count == 11)
        return region.countryCode + (hasTrunkPrefix ? String(digits.dropFirst(region.trunkPrefix.count)) : digits)
    }
}
