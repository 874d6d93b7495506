// TrimICU IN OUT: copies ICU's data without what the program does not use. scripts/icu-data compiles and calls this.
import Foundation

/// One file of the package, such as `icudt76l/zone/de.res`.
struct Item {
    var name: String
    var content: ArraySlice<UInt8>

    /// The program reads and writes UTF-8, breaks no lines of Thai or Japanese, and writes English. It needs the rest for
    /// time zones, calendars, regular expressions and the comparison of texts.
    var isUsed: Bool {
        let file = name.split(separator: "/").last ?? ""
        let isConverter = file.hasSuffix(".cnv")
        let isDictionary = file.hasSuffix(".dict") || file.contains("_model")
        let language = file.wholeMatch(of: /([a-z]{2,3})(_.*)?\.res/)?.1
        let isTranslation = language != nil && language != "en" && file != "res_index.res"
        return !isConverter && !isDictionary && !isTranslation
    }
}

/// ICU's format "CmnD": a header that begins with its own size, the number of items, two offsets for each (name, content),
/// the names in order, the contents. Offsets count from the number of items.
struct Package {
    let header: ArraySlice<UInt8>
    var items: [Item]

    init?(_ bytes: [UInt8]) {
        guard bytes.count > 16, bytes[12..<16].elementsEqual("CmnD".utf8) else { return nil }
        func number(at offset: Int) -> Int { (0..<4).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) } }
        let start = Int(bytes[0]) | Int(bytes[1]) << 8
        let count = number(at: start)
        header = bytes[..<start]
        items = (0..<count).map { index in
            let entry = start + 4 + 8 * index
            let end = index + 1 < count ? start + number(at: entry + 12) : bytes.count
            let name = bytes[(start + number(at: entry))...].prefix { $0 != 0 }
            return Item(
                name: String(decoding: name, as: UTF8.self),
                content: bytes[(start + number(at: entry + 4))..<end])
        }
    }

    /// Contents begin at multiples of 16, as ICU reads them in place.
    var data: [UInt8] {
        func aligned(_ offset: Int) -> Int { (offset + 15) / 16 * 16 }
        let names = items.map { Array($0.name.utf8) + [0] }
        var nameOffset = 4 + 8 * items.count
        var contentOffset = aligned(nameOffset + names.joined().count)

        var bytes: [UInt8] = []
        func append(_ number: Int) { bytes += (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
        append(items.count)
        for (item, name) in zip(items, names) {
            append(nameOffset)
            append(contentOffset)
            nameOffset += name.count
            contentOffset = aligned(contentOffset + item.content.count)
        }
        bytes += names.joined()
        for item in items {
            bytes += [UInt8](repeating: 0, count: aligned(bytes.count) - bytes.count)
            bytes += item.content
        }
        return header + bytes
    }
}

let arguments = CommandLine.arguments
guard var package = Package(Array(try Data(contentsOf: URL(fileURLWithPath: arguments[1])))) else {
    fatalError("\(arguments[1]) is not ICU data of the format CmnD")
}
package.items.removeAll { !$0.isUsed }
try Data(package.data).write(to: URL(fileURLWithPath: arguments[2]))
