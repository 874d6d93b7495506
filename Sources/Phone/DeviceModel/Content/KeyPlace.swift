/// A dictionary of the payload whose keys Apple defines.
package enum KeyPlace: String, CaseIterable {
    case aps, alert, sound

    /// Its keys, those of Live Activities and those without effect included.
    var keys: [String] {
        switch self {
        case .aps: PayloadKey.allCases.map(\.rawValue) + PayloadKey.others.sorted()
        case .alert: AlertKey.allCases.filter { !AlertKey.ofSound.contains($0) }.map(\.rawValue)
        case .sound: AlertKey.ofSound.map(\.rawValue)
        }
    }

    var plainKeys: [String: String] { Self.plainKeys[self] ?? [:] }

    var plainWords: [String] { Self.plainWords[self] ?? [] }

    private static let plainWords = plainKeys.mapValues { $0.keys.sorted() }

    private static let plainKeys = Dictionary(
        uniqueKeysWithValues: allCases.map { place in
            (place, Dictionary(place.keys.map { ($0.plainKey, $0) }) { first, _ in first })
        })

    /// Words of other services, of simctl's users and of Apple's classes for one of its keys, or for a key of `alert`.
    var otherWords: [String: (place: KeyPlace, key: String)] { Self.otherWords[self] ?? [:] }

    private static let otherWords: [KeyPlace: [String: (place: KeyPlace, key: String)]] = [
        .aps: [
            "message": (.alert, "body"), "msg": (.alert, "body"), "text": (.alert, "body"),
            "thread": (.aps, "thread-id"), "threadidentifier": (.aps, "thread-id"),
            "categoryid": (.aps, "category"), "categoryidentifier": (.aps, "category"),
            "clickaction": (.aps, "category"), "badgecount": (.aps, "badge"), "badgenumber": (.aps, "badge"),
            "soundname": (.aps, "sound"), "relevance": (.aps, "relevance-score"), "mutable": (.aps, "mutable-content"),
            "targetcontentidentifier": (.aps, "target-content-id"),
        ],
        .alert: [
            "message": (.alert, "body"), "msg": (.alert, "body"), "text": (.alert, "body"),
            "content": (.alert, "body"), "description": (.alert, "body"), "heading": (.alert, "title"),
            "headline": (.alert, "title"), "bodylockey": (.alert, "loc-key"), "bodylocargs": (.alert, "loc-args"),
            "launchimagename": (.alert, "launch-image"),
        ],
        .sound: [
            "vol": (.sound, "volume"), "level": (.sound, "volume"), "sound": (.sound, "name"),
            "file": (.sound, "name"), "filename": (.sound, "name"), "soundname": (.sound, "name"),
            "iscritical": (.sound, "critical"),
        ],
    ]

    /// A member to copy, such as `"badge": 3`; nil for a key without effect.
    package static func example(of key: String) -> String? { examples[key].map { "\"\(key)\": \($0)" } }

    /// - Parameter path: Of a member whose value is wrong, such as `aps.alert.loc-args[0]`.
    package static func example(at path: String) -> String? {
        guard let key = path.split(separator: ".").last else { return #"{"aps": {"alert": "Hi"}}"# }
        return example(of: String(key.prefix { $0 != "[" }))
    }

    private static let examples = [
        "alert": #"{"title": "Order Shipped", "body": "The courier is two stops away."}"#, "badge": "3",
        "sound": #""default""#, "category": #""SHIP""#, "thread-id": #""chat-1""#, "mutable-content": "1",
        "content-available": "1", "interruption-level": #""time-sensitive""#, "relevance-score": "0.75",
        "filter-criteria": #""work""#, "target-content-id": #""order-17""#, "stale-date": "1800000900",
        "content-state": #"{"step": 2}"#, "timestamp": "1800000000", "event": #""update""#,
        "dismissal-date": "1800000900", "attributes-type": #""Delivery""#, "attributes": #"{"orderId": "7"}"#,
        "input-push-token": "1", "input-push-channel": #""dHN0LXNyY2gtY2hubA==""#, "content-changed": "true",
        "url-args": #"["17"]"#, "title": #""Order Shipped""#, "subtitle": #""Order 17""#,
        "body": #""The courier is two stops away.""#, "title-loc-key": #""SHIPPED""#, "title-loc-args": #"["17"]"#,
        "subtitle-loc-key": #""SHIPPED""#, "subtitle-loc-args": #"["17"]"#, "loc-key": #""SHIPPED""#,
        "loc-args": #"["17"]"#, "launch-image": #""Launch""#, "name": #""bell.caf""#, "critical": "1",
        "volume": "0.5", PayloadKey.targetBundle: #""com.example.app""#,
    ]
}
