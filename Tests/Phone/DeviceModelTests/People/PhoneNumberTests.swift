import DeviceModel
import Testing

@Suite("E.3 telephone numbers are compared in their international form") struct PhoneNumberTests {
    @Test(
        "E.3 numbers in the formats that people write",
        arguments: [
            ("+1 (415) 555-0100", "US", "+14155550100"), ("415.555.0100", "US", "+14155550100"),
            ("1-415-555-0100", "US", "+14155550100"), ("011 81 3 1234 5678", "US", "+81312345678"),
            ("03-1234-5678", "JP", "+81312345678"), ("０９０－１２３４－５６７８", "JP", "+819012345678"),
            ("010 1 415 555 0100", "JP", "+14155550100"), ("010-1234-5678", "KR", "+821012345678"),
            ("030 123456", "DE", "+4930123456"), ("0049 30 123456", "FR", "+4930123456"),
            ("+44 (0)20 7946 0000", "US", "+442079460000"), ("020 7946 0000", "GB", "+442079460000"),
            ("06 1234 5678", "IT", "+390612345678"), ("8 (495) 123-45-67", "RU", "+74951234567"),
            ("8001234567", "RU", "+78001234567"), ("06 1 234 5678", "HU", "+3612345678"),
            ("91 123 45 67", "ES", "+34911234567"), ("tel:+14155550100", "DE", "+14155550100"),
            ("+14155550100;ext=12", "US", "+14155550100"), ("415 555 0100 x12", "US", "+14155550100"),
            ("03-1234-5678", "XX", "0312345678"), ("+81 3 1234 5678", "XX", "+81312345678"),
        ])
    func reads(written: String, region: String, text: String) {
        #expect(PhoneNumber(written, region: region)?.text == text)
    }

    @Test(
        "Invalid numbers are rejected",
        arguments: ["", "+", "1-800-FLOWERS", "neko@example.com", "+1234567890123456", "---"])
    func refuses(written: String) { #expect(PhoneNumber(written, region: "US") == nil) }

    @Test(
        "The device's locale determines the region",
        arguments: [
            ("ja_JP", "JP"), ("en_US", "US"), ("zh-Hans-CN", "CN"), ("de_AT@calendar=gregorian", "AT"), ("ja", "JP"),
            ("en", "US"), ("", "US"), ("ja_US", "US"),
        ])
    func regions(locale: String, region: String) { #expect(PhoneNumber.region(ofLocale: locale) == region) }
}
