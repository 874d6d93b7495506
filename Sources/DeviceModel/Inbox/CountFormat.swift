/// A text with a place for a number, as `summaryFormat` and `hiddenPreviewsBodyPlaceholder` are: `%u more messages`.
package struct CountFormat: Sendable, Hashable {
    /// The text as the app wrote it.
    package var format: String

    /// Makes a format.
    package init(_ format: String) { self.format = format }

    /// The text with the number for `%u` (and `%d`, `%1$u`), and a per cent sign for `%%`; others stay as they are.
    ///
    /// `summaryArgument` has no effect since iOS 15 (Apple, "UNNotificationContent"), so `%@` stands for nothing.
    package func text(count: Int) -> String {
        var text = ""
        var rest = format[...]
        while let percent = rest.firstIndex(of: "%") {
            text += rest[..<percent]
            rest = rest[percent...].dropFirst()
            let afterPosition = rest.drop { ("0"..."9").contains($0) }
            let hasPosition = afterPosition.startIndex != rest.startIndex && afterPosition.first == "$"
            let place = hasPosition ? afterPosition.dropFirst() : rest
            switch place.first {
            case "u", "d": text += "\(count)"
            case "@": break
            case "%": text += "%"
            default:
                text += "%"
                continue
            }
            rest = place.dropFirst()
        }
        return text + rest
    }
}
