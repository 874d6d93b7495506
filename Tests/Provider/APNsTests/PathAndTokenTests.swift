import APNs
import Testing
import Time

/// Paths, methods and device tokens.
@Suite struct PathAndTokenTests {
    private func judge(path: String?) -> Result<DeviceToken, APNsRejection> {
        let request = RequestFixture.with(":path", path)
        return outcome { () throws(APNsRejection) in
            try PathRules.deviceToken(request, at: try PathRules.tokenRange(request))
        }
    }

    static let paths: [(String?, String)] = [
        ("/3/device/\(RequestFixture.hex)", "passes"),
        ("/3/device/\(RequestFixture.hex.uppercased())", "passes"),
        ("/3/device/00", "passes"),
        ("/3/device/" + String(repeating: "ab", count: 80), "passes"),
        ("/3/device/" + String(repeating: "ab", count: 200), "passes"),
        ("/3/device/" + String(repeating: "ab", count: 201), "BadDeviceToken device-token.length"),
        ("/3/device/", "MissingDeviceToken device-token.missing"),
        ("/3/device", "MissingDeviceToken device-token.missing"),
        ("/3/device/abc", "BadDeviceToken device-token.odd"),
        ("/3/device/\(RequestFixture.hex.dropLast())", "BadDeviceToken device-token.odd"),
        ("/3/device/\(RequestFixture.hex)?x=1", "BadDeviceToken device-token.digits"),
        ("/3/device/%3C00fc13ad%20ff785122%3E", "BadDeviceToken device-token.digits"),
        ("/3/device/APA91bHun4MxP5egoKMwt2KZFBaFUH", "BadDeviceToken device-token.digits"),
        ("/3/device/0g", "BadDeviceToken device-token.digits"),
        (nil, "BadPath path.unknown"),
        ("/", "BadPath path.unknown"),
        ("/3/devices/00", "BadPath path.unknown"),
        ("/2/device/00", "BadPath path.unknown"),
        ("/3/Device/00", "BadPath path.unknown"),
        ("/4/broadcasts/apps/com.example.app", "BadPath path.unknown"),
    ]

    @Test(arguments: paths) func judges(_ path: String?, _ verdict: String) {
        #expect(judge(path: path).verdict == verdict)
    }

    static let lookalikes: [(String, String)] = [
        ("<00fc13ad ff785122>", "NSData"), ("00fc13ad%20ff785122", "NSData"), ("%7Blength%20=%2032%7D", "NSData"),
        ("%7B%7Btoken%7D%7D", "placeholder"), ("${TOKEN}", "placeholder"), ("<device-token>", "placeholder"),
        (":token", "placeholder"), ("YOUR_DEVICE_TOKEN", "placeholder"), ("undefined", "missing value"),
        ("null", "missing value"), ("%22\(RequestFixture.hex)%22", "quotation marks"),
        ("\(RequestFixture.hex)%0A", "line break"), ("%20\(RequestFixture.hex)", "white space"),
        ("0x\(RequestFixture.hex)", "begins with 0x"), ("Optional(%22\(RequestFixture.hex)%22)", "Optional of Swift"),
        ("9B726622-636E-8A1E-8933-940898D4A6A4", "UUID"), ("ExponentPushToken[xxxxxxxxxxxxxxxxxxxxxx]", "Expo"),
        ("arn:aws:sns:us-east-1:1:endpoint/APNS/app/9B726622", "SNS"),
        ("https:%2F%2Ffcm.googleapis.com%2Ffcm%2Fsend%2Fabc", "Web Push"),
        ("dEvPKGSjTE6LYVmdKYPwzn", "installation ID"),
        ("abc%3AAPA91bHun4MxP5egoKMwt2KZFBaFUH", "Firebase Cloud Messaging"),
        ("/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v4=", "base64"), ("xyz", "position 1. Send the token's bytes"),
        ("%ZZ", "position 1. Send the token's bytes"), ("device/\(RequestFixture.hex)", "more in front of the token"),
        (String(repeating: "ab-", count: 31) + "ab", "separators"), ("00fc13ad:ff785122:00fc13ad", "separators"),
        ("\(RequestFixture.hex)?token=1", "Remove the query"), ("\(RequestFixture.hex)/", "must end with the token"),
    ]

    @Test(arguments: lookalikes) func saysWhatWasSentInstead(_ text: String, _ words: String) {
        let rejection = judge(path: "/3/device/" + text).rejection
        #expect(rejection?.reason == .badDeviceToken)
        #expect(rejection?.diagnosis.message.contains(words) == true, "\(rejection?.diagnosis.message ?? "")")
    }

    @Test func saysWhichDigitIsWrong() {
        #expect(judge(path: "/3/device/00zz").rejection?.diagnosis.message.contains("'z' at position 3") == true)
    }

    @Test(arguments: [
        ("POST", "passes"), ("GET", "MethodNotAllowed method.not-post"), ("post", "MethodNotAllowed method.not-post"),
        ("PUT", "MethodNotAllowed method.not-post"),
    ]) func onlyPostPushes(_ method: String, _ verdict: String) {
        let request = RequestFixture.with(":method", method)
        #expect(outcome { () throws(APNsRejection) in try PathRules.checkMethod(request) }.verdict == verdict)
    }

    @Test(arguments: [1, 3, 4, 31, 32, 33, 80, 199, 200]) func aTokenOfAnyLengthReadsBack(_ count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 11) }
        let token = try #require(DeviceToken(bytes: bytes))
        let hex = token.hex
        #expect(token.bytes == bytes)
        #expect(hex == bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined())
        #expect(DeviceToken(digits: hex) == token)
        #expect(DeviceToken(digits: hex.uppercased()) == token)
        #expect(DeviceToken(bytes: bytes + [0]) != token)
    }

    @Test func onlyHexadecimalDigitsAreAccepted() {
        let digits = Set("0123456789abcdefABCDEF".utf8)
        for place in 0..<12 {
            for byte in UInt8.min...UInt8.max {
                var text = "0123456789ab".bytes
                text[place] = byte
                let token = DeviceToken(hex: text.span.bytes)
                #expect((token != nil) == digits.contains(byte), "byte \(byte) at \(place)")
                guard let token else { continue }
                #expect(token.hex == String(decoding: text, as: UTF8.self).lowercased())
            }
        }
    }

    @Test func anEmptyTokenIsRejected() {
        #expect(DeviceToken(bytes: []) == nil)
        #expect(DeviceToken(digits: "") == nil)
    }

    @Test func anIdentifierReadsBackInEitherCase() throws {
        let text = "0f3e4567-e89b-12d3-a456-4266141740ab"
        let id = try #require(APNsID(form: text))
        #expect(id == APNsID(high: 0x0f3e_4567_e89b_12d3, low: 0xa456_4266_1417_40ab))
        #expect(id.text(.lower) == text)
        #expect(id.text(.upper) == text.uppercased())
        #expect(APNsID(form: text.uppercased()) == id)
        for place in text.bytes.indices {
            var bytes = text.bytes
            bytes[place] = bytes[place] == 0x2d ? 0x30 : 0x2d
            #expect(APNsID(form: String(decoding: bytes, as: UTF8.self)) == nil)
        }
    }

    static let facts: [(String, APNsEnvironment, RegistrationStatus, String, Instant?)] = [
        ("com.example.app", .sandbox, .active, "passes", nil),
        ("com.example.app", .production, .active, "BadDeviceToken device-token.environment", nil),
        ("com.example.other", .sandbox, .active, "DeviceTokenNotForTopic device-token.topic", nil),
        ("com.example.app", .sandbox, .unregistered(since: .now), "Unregistered device-token.unregistered", .now),
        ("com.example.app", .sandbox, .expired(since: .now), "ExpiredToken device-token.expired", .now),
        ("com.example.other", .sandbox, .expired(since: .now), "DeviceTokenNotForTopic device-token.topic", nil),
        ("com.example.other", .production, .active, "BadDeviceToken device-token.environment", nil),
    ]

    @Test(arguments: facts) func aTokenIsValidForItsTopicAndEnvironmentOnly(
        _ topic: String, _ environment: APNsEnvironment, _ status: RegistrationStatus, _ verdict: String,
        _ timestamp: Instant?
    ) {
        let result = outcome { () throws(APNsRejection) in
            try DeviceRules.check(
                status, issued: (topic, environment), topic: "com.example.app", environment: .sandbox)
        }
        #expect(result.verdict == verdict)
        #expect(result.rejection?.timestamp == timestamp)
    }
}
