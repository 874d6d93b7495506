internal import Time

package enum Appearance: String, CaseIterable, Sendable {
    case light, dark
    /// Follows the viewer's colour scheme.
    case auto
}

/// A colour of six hexadecimal digits in the light and the dark appearance.
struct Paint: NodeValue, Hashable {
    let light: UInt32
    let dark: UInt32

    init(_ light: UInt32, _ dark: UInt32) { (self.light, self.dark) = (light, dark) }

    /// The same in both.
    init(_ colour: UInt32) { self.init(colour, colour) }

    func write(to writer: inout SVGWriter, as name: StaticString) {
        writer.append(light: light, dark: dark, as: name) { "#" + $0.padded(to: 6, radix: 16) }
    }
}

/// 0…1, in hundredths, in the light and the dark appearance. A colour with alpha would be lost on Inkscape.
struct Opacity: NodeValue {
    let light: Double
    let dark: Double

    init(_ light: Double, _ dark: Double) { (self.light, self.dark) = (light, dark) }
    init(_ both: Double) { self.init(both, both) }

    static func * (opacity: Opacity, factor: Double) -> Opacity {
        Opacity(opacity.light * factor, opacity.dark * factor)
    }

    func write(to writer: inout SVGWriter, as name: StaticString) {
        writer.append(light: light, dark: dark, as: name) { value in
            let hundredths = Int((value * 100).rounded())
            return hundredths == 100 ? "1" : "0.\(hundredths.padded(to: 2))"
        }
    }
}

/// The colours of the phone.
extension Paint {
    static let wallpaper = [Paint(0xcfe0f4, 0x0b1526), Paint(0xe9e4ef, 0x15233d), Paint(0xf6dcc9, 0x33273f)]
    static let card = Paint(0xffffff, 0x2b2f39)
    static let text = Paint(0x141518, 0xf5f6f8)
    static let softText = Paint(0x55585f, 0xb9bec9)
    static let red = Paint(0xc9261b, 0xff8079)
    static let link = Paint(0x2456b8, 0x8fb4ff)
    static let rule = Paint(0xcfd2d8, 0x4a4f5b)
    static let clock = Paint(0x27364d, 0xf2f5fb)
    static let frame = Paint(0x2a2c31, 0x4a4d55)
    static let white = Paint(0xffffff)
    static let green = Paint(0x248a3d)
    static let black = Paint(0x000000)

    /// Tones of app icons; white has a contrast of at least 4.5:1 on each.
    private static let tones: [UInt32] = [
        0x3451c6, 0x0c7a6b, 0xb3541e, 0x7a3fb0, 0xa62b58, 0x2b6f9e, 0x5c7014, 0x8a5a00,
    ]

    /// Always the same for an app.
    static func tone(of bundleID: String) -> Paint {
        let hash = bundleID.unicodeScalars.reduce(UInt32(7)) { $0 &* 31 &+ $1.value }
        return Paint(tones[Int(hash % UInt32(tones.count))])
    }
}

extension Opacity {
    /// A card's, over the wallpaper.
    static let card = Opacity(0.86, 0.94)
    static let full = Opacity(1)
}
