extension Duration {
    /// Reads `5s`, `250ms`, `2m`, `1.5s`, `3d`, `PT2M5S`, `P1DT12H`, up to thirty years; `nil` for anything else.
    package init?(written text: String) {
        guard let duration = DurationText.duration(text), duration < .seconds(1_000_000_000) else { return nil }
        self = duration
    }

    /// The duration as people write it, to the millisecond: `1h`, `90s`, `250ms`.
    package var writtenText: String {
        let milliseconds = components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
        for (unit, size) in [("h", Int64(3_600_000)), ("m", 60_000), ("s", 1000)] where milliseconds >= size {
            if milliseconds.isMultiple(of: size) { return "\(milliseconds / size)\(unit)" }
        }
        return "\(milliseconds)ms"
    }
}
