internal import DeviceModel
internal import JSON
internal import Time

extension LintRule {
    static let levels = [
        LintRule(
            "level.ts.notSoon", .warning, "HIG Notifications (S3-10)",
            "Time Sensitive is for events now or within one hour",
            fix: #""interruption-level": "active", and "time-sensitive" within the last hour"#, needs: [.clock]
        ) { facts in
            guard facts.isTimeSensitive, let now = facts.subject.now else { return [] }
            return facts.custom.sorted { $0.key < $1.key }.compactMap { key, value in
                guard eventKeys.contains(key.plainKey), let event = Instant(value) else { return nil }
                let minutes = event.milliseconds(since: now) / .minute
                return minutes > 60 ? Hit(path: key, detail: "in \(minutes) minutes") : nil
            }
        },
        LintRule(
            "level.ts.noEntitlement", .error, "WWDC21 10091 (S0-26)",
            "without the entitlement a Time Sensitive notification is treated as active",
            fix: "entitlements: [\(Entitlement.timeSensitive.rawValue)]", needs: [.app]
        ) { facts in
            hit(PayloadKey.interruptionLevel.path, if: facts.isTimeSensitive && facts.lacks(.timeSensitive))
        },
        LintRule(
            "level.critical.noEntitlement", .error, "WWDC21 10091 (S0-19)",
            "without the entitlement a critical alert is treated as active and does not ignore the silent switch",
            fix: "entitlements: [\(Entitlement.criticalAlerts.rawValue)]", needs: [.app]
        ) { facts in
            guard facts.lacks(.criticalAlerts) else { return [] }
            if facts.content.interruptionLevel == .critical { return [Hit(path: PayloadKey.interruptionLevel.path)] }
            return hit(PayloadKey.sound.path, if: facts.content.sound?.isCritical == true)
        },
        LintRule(
            "level.undeclared", .info, "design",
            "the app was never declared, so the device takes it for one without entitlements",
            fix: "PUT /api/v1/apps/{bundleId} with its entitlements"
        ) { facts in
            guard facts.isAlertPush, let name = facts.subject.undeclaredApp else { return [] }
            let level = facts.content.interruptionLevel
            if level == .timeSensitive || level == .critical {
                return [Hit(path: PayloadKey.interruptionLevel.path, detail: name)]
            }
            if facts.content.sound?.isCritical == true { return [Hit(path: PayloadKey.sound.path, detail: name)] }
            return hit("communication", name, if: facts.content.communication != nil)
        },
        LintRule(
            "level.overuse", .warning, "HIG Notifications (S3-9); WWDC21 10091 (S0-44)",
            "more than half of the app's recent notifications are Time Sensitive: people will turn them off",
            fix: #""interruption-level": "active""#, needs: [.history]
        ) { facts in
            guard facts.isTimeSensitive, let history = facts.subject.history else { return [] }
            let levels = history.levels.suffix(19) + [.timeSensitive]
            let count = levels.count { $0 == .timeSensitive }
            // [design] Fewer than five pushes do not show a habit.
            let isOverused = levels.count >= 5 && count * 2 > levels.count
            return hit(PayloadKey.interruptionLevel.path, "\(count) of \(levels.count)", if: isOverused)
        },
    ]

    static let marketing = [
        LintRule(
            "level.marketing.ts", .error, "HIG Notifications (S3-12)",
            "marketing must never be Time Sensitive or critical", fix: #""interruption-level": "passive""#
        ) { facts in
            let level = facts.content.interruptionLevel
            guard level == .timeSensitive || level == .critical, let marker = facts.marketingMarker else { return [] }
            return [Hit(path: PayloadKey.interruptionLevel.path, detail: marker)]
        },
        LintRule(
            "marketing.noOptIn", .error, "HIG Notifications (S3-36)",
            "marketing requires consent given in the app",
            fix: "hasMarketingConsent: true, once the person has agreed", needs: [.app]
        ) { facts in
            guard let app = facts.app, app.hasMarketingConsent != true, let marker = facts.marketingMarker else {
                return []
            }
            let isRefused = app.hasMarketingConsent == false
            let detail = isRefused ? marker : "\(marker); the person's consent is unknown"
            return [Hit(path: "aps.alert", detail: detail, severity: isRefused ? .error : .warning)]
        },
        LintRule(
            "marketing.noSettings", .info, "S3-37",
            "an app that sends marketing should have settings where people can withdraw consent",
            fix: "providesNotificationSettings: true, with UNAuthorizationOptions.providesAppNotificationSettings",
            needs: [.app]
        ) { facts in
            guard facts.app?.providesNotificationSettings == false, let marker = facts.marketingMarker else {
                return []
            }
            return [Hit(path: "aps.alert", detail: marker)]
        },
    ]

    /// Keys that name an event's time, without word separators [design].
    private static let eventKeys: Set<String> = [
        "eventtime", "eventat", "eventdate", "startsat", "starttime", "startdate", "startat", "departuretime",
        "departsat", "dueat", "duedate", "duetime", "deadline", "scheduledat", "scheduledfor", "scheduledtime",
        "arrivaltime", "arrivesat", "deliverytime", "appointmenttime",
    ]
}

extension LintFacts {
    fileprivate var isTimeSensitive: Bool { content.interruptionLevel == .timeSensitive }

    /// Why the notification counts as marketing; nil when it does not.
    fileprivate var marketingMarker: String? {
        guard isAlert else { return nil }
        if custom["marketing"] == .bool(true) || custom["marketing"] == .integer(1) { return "`marketing` is true" }
        let words = ["sale", "coupon", "coupons", "offer", "offers", "キャンペーン", "クーポン", "セール"]
        for text in writtenTexts {
            if text.folded.containsWord("% off") { return "\"% off\"" }
            if let word = words.first(where: { text.folded.containsWord($0) }) { return "\"\(word)\"" }
        }
        return nil
    }
}

extension Instant {
    /// Seconds or milliseconds since 1970, or ISO 8601 with `Z` or an offset.
    fileprivate init?(_ value: JSONValue) {
        switch value {
        // Any time of this century is larger in milliseconds.
        case .integer(let number) where number < 100_000_000_000: self.init(seconds: Double(number))
        case .integer(let number): self.init(milliseconds: Int64(number))
        case .number(let seconds): self.init(seconds: seconds)
        case .string(let text):
            // Python writes microseconds.
            let zone = text.dropFirst(19).drop { $0 == "." || $0.isNumber }
            self.init(text: "\(text.prefix(19))\(zone)")
        case .null, .bool, .array, .object, .verbatim: return nil
        }
    }
}

extension LintRule {
    static let badges = [
        LintRule(
            "badge.misuse", .warning, "HIG Notifications (S3-32, S3-33, S3-34)",
            "a badge should only count unread notifications",
            fix: #""badge": 3 when three notifications are unread"#, needs: [.history]
        ) { facts in
            guard let badge = facts.content.badge, badge > 0, let history = facts.subject.history else { return [] }
            return facts.objection(to: badge, history).map { [Hit(path: PayloadKey.badge.path, detail: $0)] } ?? []
        }
    ]
}

extension LintFacts {
    fileprivate func objection(to badge: Int, _ history: LintHistory) -> String? {
        if let last = history.badge, (badge - last).magnitude > 50 { return "it jumps from \(last) to \(badge)" }
        guard !content.hasAlert, history.badgesWithoutAlert >= 2 else { return nil }
        return "\(history.badgesWithoutAlert + 1) badges in a row had no alert"
    }
}
