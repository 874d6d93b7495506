import APNs
import RequestWire
import Time

extension String {
    var bytes: [UInt8] { Array(utf8) }
}

extension Instant {
    static let now = Instant(seconds: 1_767_571_200)

    static func - (instant: Instant, duration: Duration) -> Instant { instant.advanced(by: .zero - duration) }
    static func + (instant: Instant, duration: Duration) -> Instant { instant.advanced(by: duration) }
}

/// A valid request, to be edited.
struct RequestFixture {
    static let hex = String(repeating: "00fc13adff785122b4ad28809a3420982341241421348097878e577c991de8f0", count: 1)

    var fields: [(name: String, value: String)] = [
        (":method", "POST"), (":scheme", "https"), (":path", "/3/device/\(hex)"), (":authority", "localhost"),
        ("authorization", "bearer secret"), ("apns-topic", "com.example.app"), ("apns-push-type", "alert"),
    ]
    var body = #"{"aps":{"alert":"Hello"}}"#.bytes

    subscript(_ name: String) -> String? {
        get { fields.first { $0.name == name }?.value }
        set {
            fields.removeAll { $0.name == name }
            if let newValue { fields.append((name, newValue)) }
        }
    }

    var request: RequestBlock { RequestBlock(fields: fields, body: body) }

    /// The plain request with one header changed; `nil` removes it.
    static func with(_ name: String, _ value: String?) -> RequestBlock {
        var fixture = RequestFixture()
        fixture[name] = value
        return fixture.request
    }
}

/// A rule's result, or its rejection.
func outcome<Value>(_ rule: () throws(APNsRejection) -> Value) -> Result<Value, APNsRejection> {
    do throws(APNsRejection) { return .success(try rule()) } catch { return .failure(error) }
}

extension Result where Failure == APNsRejection {
    var rejection: APNsRejection? { if case .failure(let rejection) = self { rejection } else { nil } }

    /// Reason and diagnosis as text; "passes" if there is none.
    var verdict: String { rejection.map { "\($0.reason.rawValue) \($0.diagnosis.code)" } ?? "passes" }
}

// The macros of Swift Testing take no `RawSpan`.

extension DeviceToken {
    init?(digits: String) { self.init(hex: digits.bytes.span.bytes) }
}

extension APNsID {
    init?(form: String) { self.init(form.bytes.span.bytes) }
}

extension HeaderName {
    init?(name: [UInt8]) { self.init(name.span.bytes) }
}
