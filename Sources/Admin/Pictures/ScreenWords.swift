internal import DeviceModel
internal import Time

/// A device's own texts in its language: dates, times, ages. Uses no locale data, which the program lacks.
struct ScreenWords {
    private let language: SystemLanguage
    private let region: String
    private let calendar: LocalCalendar?
    private let now: Instant
    /// By the device's language, not by the texts.
    let isMirrored: Bool

    init(_ screen: PictureScene) {
        let parts = screen.locale.split { $0 == "_" || $0 == "-" }
        language = SystemLanguage(locale: screen.locale)
        region = parts.count > 1 ? String(parts[parts.count - 1]) : ""
        calendar = LocalCalendar(timeZone: screen.timeZone) ?? LocalCalendar(timeZone: "UTC")
        now = screen.at
        isMirrored = ["ar", "fa", "he", "ur"].contains(parts.first)
    }

    var clock: String { clock(at: now) }

    /// Without AM and PM, as on the device.
    func clock(at instant: Instant) -> String {
        var time = calendar?.time(at: instant) ?? WallTime(hour: 0, minute: 0)
        let isTwelveHour = language != .japanese && Self.twelveHourRegions.contains(region)
        if isTwelveHour { time.hour = (time.hour + 11) % 12 + 1 }
        let text = time.text
        let isPadded = language == .english && !isTwelveHour
        return digits(!isPadded && text.hasPrefix("0") ? String(text.dropFirst()) : text)
    }

    var date: String {
        guard let calendar, let date = DateWords(calendar.text(now), calendar.weekday(at: now)) else { return "" }
        let weekday = Array("月火水木金土日")[calendar.weekday(at: now).rawValue]
        return language.text(
            english: ["US", "CA", "PH", ""].contains(region)
                ? "\(date.weekdayName), \(date.monthName) \(date.day)"
                : "\(date.weekdayName) \(date.day) \(date.monthName)",
            japanese: "\(date.month)月\(date.day)日\(weekday)曜日",
            arabic: digits("\(date.arabicWeekdayName)، \(date.day) \(date.arabicMonthName)"))
    }

    /// Arabic has digits of its own, except in some regions (CLDR, `defaultNumberingSystem`).
    private func digits(_ text: String) -> String {
        guard language == .arabic, !Self.latinDigitRegions.contains(region) else { return text }
        return String(text.map { $0.isASCII ? $0.wholeNumberValue.map { Self.arabicDigits[$0] } ?? $0 : $0 })
    }

    private static let arabicDigits = Array("٠١٢٣٤٥٦٧٨٩")
    private static let latinDigitRegions: Set<String> = ["AE", "DZ", "EH", "LY", "MA", "TN"]

    /// How long ago a notification arrived; on another day, its date and time.
    func age(of instant: Instant) -> String {
        let minutes = now.milliseconds(since: instant) / .minute
        if minutes == 0 { return language.text(english: "now", japanese: "今", arabic: "الآن") }
        // Later than now after the clock was reset.
        if 1..<60 ~= minutes {
            return language.text(
                english: "\(minutes)m ago", japanese: "\(minutes)分前", arabic: digits("قبل \(minutes) د"))
        }
        guard let calendar, calendar.day(at: instant) != calendar.day(at: now) else { return clock(at: instant) }
        return "\(digits(String(calendar.text(instant).prefix(10)))) \(clock(at: instant))"
    }

    func more(_ count: Int) -> String {
        language.text(
            english: "and \(count) more below", japanese: "ほか\(count)件", arabic: digits("و\(count) أخرى"))
    }

    func notifications(_ count: Int) -> String {
        language.text(
            english: "\(count) notification\(count == 1 ? "" : "s")", japanese: "\(count)件の通知",
            arabic: digits("الإشعارات: \(count)"))
    }

    var noNotifications: String {
        language.text(english: "No notifications", japanese: "通知はありません", arabic: "لا توجد إشعارات")
    }
    var summary: String {
        language.text(english: "Your scheduled summary", japanese: "時刻指定要約", arabic: "الملخص المجدول")
    }
    var message: String { language.text(english: "Message", japanese: "メッセージ", arabic: "رسالة") }

    /// Regions whose clocks have twelve hours (CLDR, `timeData`: h before H).
    private static let twelveHourRegions: Set<String> = [
        "US", "CA", "AU", "NZ", "IN", "PH", "EG", "SA", "AE", "BD", "CO", "JO", "KR", "MX", "MY", "PK", "SG", "",
    ]
}

/// The parts of a date, and their English names.
struct DateWords {
    let year: Int
    let month: Int
    let day: Int
    private let weekday: Weekday

    /// - Parameter text: Begins as ISO 8601 does, such as 2026-11-23.
    init?(_ text: String, _ weekday: Weekday) {
        let parts = text.prefix(10).split(separator: "-").compactMap { Int($0) }
        guard parts.count == 3, 1...12 ~= parts[1] else { return nil }
        (year, month, day, self.weekday) = (parts[0], parts[1], parts[2], weekday)
    }

    var weekdayName: String { Self.weekdays[weekday.rawValue] }
    var monthName: String { Self.months[month - 1] }

    var arabicWeekdayName: String { Self.arabicWeekdays[weekday.rawValue] }
    var arabicMonthName: String { Self.arabicMonths[month - 1] }

    private static let arabicWeekdays = ["الاثنين", "الثلاثاء", "الأربعاء", "الخميس", "الجمعة", "السبت", "الأحد"]
    /// Assumption: Egypt's names everywhere.
    private static let arabicMonths = [
        "يناير", "فبراير", "مارس", "أبريل", "مايو", "يونيو", "يوليو", "أغسطس", "سبتمبر", "أكتوبر", "نوفمبر", "ديسمبر",
    ]
    private static let weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
}
