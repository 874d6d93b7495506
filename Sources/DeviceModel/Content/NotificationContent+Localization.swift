extension NotificationContent {
    /// The content with its texts in the device's language.
    ///
    /// Where a text and a localization key stand side by side, the key counts. A key that the app does not have is shown
    /// itself; a place without an argument stays empty.
    ///
    /// - Parameter locale: the device's language and region, such as `ja_JP`.
    /// - Returns: content with texts only; without keys it is the same.
    package func localized(app: App, locale: String) -> NotificationContent {
        guard hasLocalization else { return self }
        let localizer = Localizer(app: app, locale: locale)
        var content = self
        if let text = titleLocalization { content.title = localizer.lookup(text).text }
        if let text = subtitleLocalization { content.subtitle = localizer.lookup(text).text }
        if let text = bodyLocalization { content.body = localizer.lookup(text).text }
        (content.titleLocalization, content.subtitleLocalization, content.bodyLocalization) = (nil, nil, nil)
        return content
    }

    /// What was wrong with the keys and arguments of the texts.
    package func localizationFindings(app: App, locale: String) -> [Finding] {
        guard hasLocalization else { return [] }
        let localizer = Localizer(app: app, locale: locale)
        let texts = [
            (titleLocalization, AlertKey.titleKey, AlertKey.titleArguments),
            (subtitleLocalization, .subtitleKey, .subtitleArguments), (bodyLocalization, .bodyKey, .bodyArguments),
        ]
        return texts.compactMap { text, key, arguments in
            guard let text else { return nil }
            let lookup = localizer.lookup(text)
            if !lookup.isKnown {
                let severity: Finding.Severity = app.localizations.isEmpty ? .info : .warning
                let message = "the app has no text for \"\(text.key)\" in \(locale), so the key itself is shown"
                return Finding("alert.locKey.unknown", severity, at: key.path, message)
            }
            guard lookup.missingArguments > 0 else { return nil }
            let message = "the text of \"\(text.key)\" has places for \(lookup.missingArguments) more; they stay empty"
            return Finding("alert.locArgs.tooFew", .warning, at: arguments.path, message)
        }
    }

    private var hasLocalization: Bool {
        titleLocalization != nil || subtitleLocalization != nil || bodyLocalization != nil
    }
}
