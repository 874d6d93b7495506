extension Instant {
    /// Reads ISO 8601 in UTC or with an offset: `2026-11-21T07:10:29Z`, `2026-11-21T16:10:29.000+09:00`.
    public init?(written text: String) {
        if text.hasSuffix("Z") {
            self.init(text: text)
            return
        }
        guard let sign = text.suffix(6).first, sign == "+" || sign == "-" else { return nil }
        let parts = text.suffix(5).split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.count == 2 && $0.allSatisfy(\.isNumber) }),
            let hours = Int64(parts[0]), let minutes = Int64(parts[1]), hours < 24, minutes < 60,
            let local = Instant(text: text.dropLast(6) + "Z")
        else { return nil }
        let offset = (hours * 60 + minutes) * 60_000
        self.init(milliseconds: local.milliseconds - (sign == "+" ? offset : -offset))
    }
}
