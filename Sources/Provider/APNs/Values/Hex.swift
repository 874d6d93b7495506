enum Hex {
    @inline(__always)
    static func digit(_ value: UInt8) -> UInt8 { value < 10 ? value &+ 0x30 : value &+ 0x57 }

    /// Eight digits computed in parallel, most significant first in memory.
    @inline(__always)
    static func digits(_ number: UInt32, _ letterCase: APNsID.LetterCase) -> UInt64 {
        func each(_ byte: UInt64) -> UInt64 { byte &* 0x0101_0101_0101_0101 }
        var pairs = UInt64(number.bigEndian)
        pairs = (pairs | pairs << 16) & 0x0000_ffff_0000_ffff
        pairs = (pairs | pairs << 8) & 0x00ff_00ff_00ff_00ff
        let values = (pairs >> 4 | pairs << 8) & each(0x0f)
        let letters = (values &+ each(6)) >> 4 & each(1)
        return (values &+ each(0x30) &+ letters &* letterCase.rawValue).littleEndian
    }

    /// Decodes eight digits of either case, loaded as little endian, into four bytes to store as little endian.
    @inline(__always)
    static func fourBytes(_ digits: UInt64) -> UInt32? {
        func each(_ byte: UInt64) -> UInt64 { byte &* 0x0101_0101_0101_0101 }
        let letters = (digits >> 6) & each(1)  // only letters have bit 6
        let values = (digits & each(0x0f)) &+ letters &* 9
        // The high nibbles: 3 for digits, 4 or 6 for letters.
        let halves = (digits & each(0xd0)) ^ (each(0x10) &+ letters &* 0x30)
        let bit5 = ((digits & each(0x20)) | (letters << 5)) ^ each(0x20)
        // The values must be 0…9 for digits, 10…15 for letters.
        let ranges = (((values &+ each(6)) >> 4) & each(1)) ^ letters | (values & each(0x10))
        guard halves | bit5 | ranges == 0 else { return nil }
        let pairs = ((values << 4) | (values >> 8)) & 0x00ff_00ff_00ff_00ff
        let quarters = (pairs | (pairs >> 8)) & 0x0000_ffff_0000_ffff
        return UInt32(truncatingIfNeeded: quarters | (quarters >> 16))
    }
}
