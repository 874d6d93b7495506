import APNs
import Testing
import Time

/// A provider token to be edited; its signature is not checked here.
struct TokenFixture: Sendable {
    var header = #"{"alg":"ES256","kid":"KEY0000001"}"#
    var claims = #"{"iss":"TEAM000001","iat":1767571200}"#
    var signature = [UInt8](repeating: 7, count: 64)
    var encode: @Sendable ([UInt8]) -> String = { base64($0, "-_", pads: false) }

    var text: String { [encode(header.bytes), encode(claims.bytes), encode(signature)].joined(separator: ".") }
}

/// Base64 with the two last characters of an alphabet.
@Sendable func base64(_ bytes: [UInt8], _ last: String, pads: Bool) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789" + last)
    var text = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
        let group = bytes[start..<min(start + 3, bytes.count)]
        let word = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
        text += String((0...group.count).map { alphabet[word >> (18 - 6 * $0) & 63] })
        if pads { text += String(repeating: "=", count: 3 - group.count) }
    }
    return text
}

@Suite struct ProviderTokenTests {
    private func read(_ text: String, _ leniency: TokenLeniency = TokenLeniency()) -> Result<
        ProviderToken, APNsRejection
    > {
        let bytes = text.bytes
        return outcome { () throws(APNsRejection) in try ProviderToken(bytes.span.bytes, leniency: leniency) }
    }

    @Test func readsEveryMember() throws {
        let fixture = TokenFixture()
        let token = try read(fixture.text, .strict).get()
        #expect(token.keyID == "KEY0000001")
        #expect(token.teamID == "TEAM000001")
        #expect(token.issuedAt == .now)
        #expect(token.digest == .sha256)
        #expect(token.signature == fixture.signature)
        #expect(
            String(decoding: token.signedBytes, as: UTF8.self)
                == fixture.text.split(separator: ".").prefix(2).joined(separator: "."))
    }

    struct Leniency: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var code: String
        var flag: @Sendable (inout TokenLeniency, Bool) -> Void
        var edit: @Sendable (inout TokenFixture) -> Void
    }

    static let leniencies = [
        Leniency(testDescription: "DER signature", code: "token.signature-form", flag: { $0.derSignature = $1 }) {
            $0.signature = [0x30, 0x44] + [UInt8](repeating: 1, count: 68)
        },
        Leniency(testDescription: "standard base64", code: "token.standard-base64", flag: { $0.standardBase64 = $1 }) {
            $0.encode = { base64($0, "+/", pads: true) }
        },
        Leniency(testDescription: "no alg", code: "token.algorithm", flag: { $0.missingAlgorithm = $1 }) {
            $0.header = #"{"kid":"KEY0000001"}"#
        },
        Leniency(testDescription: "iat as a string", code: "token.iat", flag: { $0.stringIssuedAt = $1 }) {
            $0.claims = #"{"iss":"TEAM000001","iat":"1767571200"}"#
        },
        Leniency(testDescription: "iat with a fraction", code: "token.iat", flag: { $0.fractionalIssuedAt = $1 }) {
            $0.claims = #"{"iss":"TEAM000001","iat":1767571200.25}"#
        },
        Leniency(testDescription: "extra members", code: "token.members", flag: { $0.extraMembers = $1 }) {
            $0.claims = #"{"iss":"TEAM000001","iat":1767571200,"kid":"KEY0000001","exp":1,"x":[{"a":null}]}"#
        },
        Leniency(testDescription: "ES512", code: "token.algorithm", flag: { $0.es512OverP256 = $1 }) {
            $0.header = #"{"alg":"ES512","kid":"KEY0000001"}"#
            $0.signature = [UInt8](repeating: 1, count: 132)
        },
    ]

    @Test(arguments: leniencies) func eachLeniencyIsOnOrOff(_ row: Leniency) throws {
        var fixture = TokenFixture()
        row.edit(&fixture)
        var leniency = TokenLeniency.strict
        #expect(read(fixture.text, leniency).verdict == "InvalidProviderToken \(row.code)")
        row.flag(&leniency, true)
        let token = try read(fixture.text, leniency).get()
        #expect(token.keyID == "KEY0000001")
        #expect(token.issuedAt.milliseconds / 1000 == 1_767_571_200)
        #expect(read(fixture.text, .lenient).verdict == "passes")
        leniency = .lenient
        row.flag(&leniency, false)
        #expect(read(fixture.text, leniency).verdict == "InvalidProviderToken \(row.code)")
    }

    @Test func theDefaultAcceptsAllExceptES512() {
        for row in Self.leniencies {
            var fixture = TokenFixture()
            row.edit(&fixture)
            #expect((read(fixture.text).verdict == "passes") == (row.testDescription != "ES512"))
        }
    }

    @Test func aTypAndSpacesAreAllowed() {
        var fixture = TokenFixture()
        fixture.header = "{ \"typ\" : \"JWT\",\n\"alg\":\"ES256\" , \"kid\":\"KEY0000001\" }"
        #expect(read(fixture.text, .strict).verdict == "passes")
    }

    static let broken: [(String, @Sendable (inout TokenFixture) -> Void)] = [
        ("token.algorithm", { $0.header = #"{"alg":"RS256","kid":"KEY0000001"}"# }),
        ("token.algorithm", { $0.header = #"{"alg":"none","kid":"KEY0000001"}"# }),
        ("token.algorithm", { $0.header = #"{"alg":"es256","kid":"KEY0000001"}"# }),
        ("token.algorithm", { $0.header = #"{"alg":256,"kid":"KEY0000001"}"# }),
        ("token.kid", { $0.header = #"{"alg":"ES256"}"# }),
        ("token.kid", { $0.header = #"{"alg":"ES256","kid":""}"# }),
        ("token.kid", { $0.header = #"{"alg":"ES256","kid":7}"# }),
        ("token.kid", { $0.header = #"{"alg":"ES256","kid":"\#(String(repeating: "K", count: 65))"}"# }),
        ("token.iss", { $0.claims = #"{"iat":1767571200}"# }),
        ("token.iss", { $0.claims = #"{"iss":null,"iat":1767571200}"# }),
        ("token.iat", { $0.claims = #"{"iss":"TEAM000001"}"# }),
        ("token.iat", { $0.claims = #"{"iss":"TEAM000001","iat":null}"# }),
        ("token.iat", { $0.claims = #"{"iss":"TEAM000001","iat":-1}"# }),
        ("token.iat", { $0.claims = #"{"iss":"TEAM000001","iat":"now"}"# }),
        ("token.iat", { $0.claims = #"{"iss":"TEAM000001","iat":1e999}"# }),
        ("token.json", { $0.claims = #"{"iss":"TEAM000001","iat":1-1}"# }),
        ("token.json", { $0.header = "[]" }),
        ("token.json", { $0.header = #"{"alg":"ES256","kid":"KEY0000001""# }),
        ("token.json", { $0.header = #"{"alg":"ES256","kid":"KEY0000001"}x"# }),
        ("token.json", { $0.claims = "null" }),
        (
            "token.json",
            { $0.claims = String(repeating: #"{"a":"#, count: 200) + "1" + String(repeating: "}", count: 200) }
        ),
        ("token.base64", { $0.signature = [] }),
        ("token.base64", { $0.encode = { base64($0, "*_", pads: false) + "*" } }),
        ("token.base64", { $0.encode = { base64($0, "-_", pads: true) + "AA" } }),
        ("token.signature-form", { $0.signature.removeLast() }),
        ("token.signature-form", { $0.signature.append(1) }),
        ("token.signature-form", { $0.signature = [UInt8](repeating: 1, count: 132) }),
    ]

    @Test(arguments: broken.indices) func explainsTheError(_ index: Int) {
        var fixture = TokenFixture()
        Self.broken[index].1(&fixture)
        #expect(read(fixture.text).verdict == "InvalidProviderToken \(Self.broken[index].0)")
    }

    static let texts: [(String, String)] = [
        ("", "token.parts"), ("abc", "token.parts"), ("a.b", "token.parts"), ("a.b.c.d", "token.parts"),
        ("..", "token.base64"), ("-----BEGIN PRIVATE KEY-----", "token.pem"),
        ("MIGTAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBHkwdwIBAQQg", "token.pem"),
        (String(repeating: "a", count: 4097), "token.length"), (String(repeating: "a", count: 4096), "token.parts"),
    ]

    @Test(arguments: texts) func rejectsInvalidTokens(_ text: String, _ code: String) {
        #expect(read(text).verdict == "InvalidProviderToken \(code)")
    }

    static let lookalikes: [(String, String)] = [
        ("bearer %", "'bearer' twice"), ("\"%\"", "quotation marks"), ("'%'", "quotation marks"), ("b'%'", "Python"),
        ("%\\n", "escaped line break"), ("undefined", "no JWT"), ("None", "no JWT"), ("[object Promise]", "await"),
        ("$TOKEN", "placeholder"), ("<%>", "placeholder"), ("a %", "white space"), ("abc", "1 part instead"),
        ("a.b", "2 parts"),
        ("%*", "signature is not base64url"),
    ]

    @Test(arguments: lookalikes) func saysWhatWasSentInstead(_ text: String, _ words: String) {
        let rejection = read(text.replacing("%", with: TokenFixture().text)).rejection
        #expect(rejection?.reason == .invalidProviderToken)
        #expect(rejection?.diagnosis.message.contains(words) == true, "\(rejection?.diagnosis.message ?? "")")
    }

    @Test func escapesAreDecoded() throws {
        var fixture = TokenFixture()
        fixture.header = #"{"\u0061lg":"ES256","kid":"KEY\u0030000001"}"#
        #expect(try read(fixture.text, .strict).get().keyID == "KEY0000001")
    }

    static let bearers: [(String, String?)] = [
        ("bearer a.b.c", "a.b.c"), ("Bearer a.b.c", "a.b.c"), ("BEARER a.b.c", "a.b.c"), ("bearer   a.b.c", "a.b.c"),
        ("", nil), ("bearer", nil), ("bearer ", nil), ("bearer   ", nil), ("basic a.b.c", nil), ("bearera.b.c", nil),
        ("a.b.c", nil), ("bearer\ta.b.c", nil),
    ]

    @Test(arguments: bearers) func findsTheTokenAfterBearer(_ header: String, _ token: String?) {
        let bytes = header.bytes
        let result = outcome { () throws(APNsRejection) in try ProviderToken.bearer(bytes.span.bytes) }
        switch result {
        case .success(let range): #expect(String(decoding: bytes[range], as: UTF8.self) == token)
        case .failure: #expect(token == nil && result.verdict == "MissingProviderToken token.missing")
        }
    }
}
