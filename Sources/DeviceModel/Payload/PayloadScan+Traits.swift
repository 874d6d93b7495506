internal import JSON

extension PayloadScan {
    /// Why a device drops a payload, and what of it decisions depend on.
    ///
    /// This is what each push costs: one pass to check the payload, and one over `aps`. It allocates nothing, unless a
    /// category or filter criteria is longer than 15 bytes or something is spelled with escapes.
    ///
    /// - Parameter payload: the bytes as received; anything at all may be passed.
    /// - Returns: the traits of empty content for a payload that is dropped or has no `aps`.
    package static func traits(of payload: RawSpan) -> (verdict: DiscardReason?, traits: ContentTraits) {
        payload.withUnsafeBytes { bytes in
            var validator = JSONValidator(bytes)
            guard validator.document() else { return (.invalidJSON, ContentTraits()) }
            guard validator.isObject else { return (.payloadNotAnObject, ContentTraits()) }
            guard let aps = validator.aps else { return (nil, ContentTraits()) }
            guard bytes[aps.lowerBound] == ASCII.leftBrace else { return (.apsNotAnObject, ContentTraits()) }
            var reader = TraitsReader(JSONReader(bytes, at: aps.lowerBound))
            reader.aps()
            return (nil, reader.traits)
        }
    }
}
