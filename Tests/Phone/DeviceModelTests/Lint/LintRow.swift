import APNs
import Testing
import Time

@testable import DeviceModel
@testable import Lint

/// A push that violates a rule, or a near miss.
struct LintRow: Sendable, CustomTestStringConvertible {
    var rule: String
    var name: String
    /// The paths of the rule's findings; empty for a near miss.
    var paths: [String]
    var severity: Finding.Severity?
    var payload: String
    var edit: @Sendable (inout LintSubject) -> Void
    var testDescription: String { "\(name) [\(rule)]" }

    /// A violation.
    static func found(
        _ rule: String, _ name: String, at path: String, severity: Finding.Severity? = nil, _ payload: String,
        _ edit: @escaping @Sendable (inout LintSubject) -> Void = { _ in }
    ) -> LintRow { LintRow(rule: rule, name: name, paths: [path], severity: severity, payload: payload, edit: edit) }

    /// A near miss.
    static func passed(
        _ rule: String, _ name: String, _ payload: String,
        _ edit: @escaping @Sendable (inout LintSubject) -> Void = { _ in }
    ) -> LintRow { LintRow(rule: rule, name: name, paths: [], payload: payload, edit: edit) }

    /// A payload with an alert, more members of `aps`, and custom keys.
    static func alert(
        _ title: String = "Order Shipped", _ body: String = "The courier is two stops away.", aps: String = "",
        custom: String = ""
    ) -> String {
        let members = [#""alert":{"title":"\#(title)","body":"\#(body)"}"#, aps].filter { !$0.isEmpty }
        return "{"
            + ["\"aps\":{\(members.joined(separator: ","))}", custom].filter { !$0.isEmpty }.joined(separator: ",")
            + "}"
    }

    static func title(_ title: String) -> String { alert(title) }

    static func body(_ body: String) -> String { alert("Order Shipped", body) }

    /// 2026-01-05T09:00:00Z.
    static let now = Instant(milliseconds: 1_767_603_600_000)

    static let app = {
        var app = App(bundleID: "com.example.post", displayName: "Post Haste")
        var track = NotificationAction(identifier: "TRACK", title: "Track Parcel")
        track.icon = .init(systemImageName: "shippingbox")
        var ship = NotificationCategory(identifier: "SHIP", actions: [track])
        ship.hiddenPreviewsBodyPlaceholder = "Shipment"
        app.categories = [ship]
        app.localizations = ["en": ["SHIPPED": "%@ Shipped"]]
        app.hasMarketingConsent = true
        return app
    }()

    var subject: LintSubject {
        var subject = LintSubject(payload: Array(payload.utf8).span.bytes, app: Self.app)
        subject.identifier = "this"
        subject.now = Self.now
        subject.pushType = .alert
        edit(&subject)
        return subject
    }
}

extension LintHistory {
    /// A history with one entry.
    static func with(_ edit: (inout LintHistory) -> Void) -> LintHistory {
        var history = LintHistory()
        edit(&history)
        return history
    }

    /// Earlier notifications like that of `LintRow.alert()`, a minute old.
    static func repeated(_ identifiers: String..., edit: (inout Earlier) -> Void = { _ in }) -> LintHistory {
        with { history in
            history.earlier = identifiers.map { identifier in
                var content = NotificationContent()
                (content.title, content.body) = (" order shipped", "The courier is two stops away. ")
                let at = Instant(milliseconds: LintRow.now.milliseconds - 60_000)
                var earlier = Earlier(content, identifier: identifier, at: at, isListed: false)
                edit(&earlier)
                return earlier
            }
        }
    }
}
