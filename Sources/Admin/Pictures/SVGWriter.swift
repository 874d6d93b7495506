/// Writes a tree of nodes as SVG into one buffer.
struct SVGWriter {
    /// Bounds the size of a picture for any screen.
    static let maximumImageCount = 4

    let appearance: Appearance
    private var bytes: [UInt8] = []
    private var imageCount = 0
    /// With `auto`: classes of the element that is being written, and the dark declaration of each class used so far.
    private var classes: [String] = []
    private var darkRules: [String: String] = [:]

    static func text(of picture: Node, appearance: Appearance) -> String {
        var writer = SVGWriter(appearance: appearance)
        writer.bytes.reserveCapacity(16 << 10)
        writer.append(picture, isRoot: true)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private init(appearance: Appearance) { self.appearance = appearance }

    private mutating func append(_ node: Node, isRoot: Bool = false) {
        if node.isImage {
            imageCount += 1
            if imageCount > Self.maximumImageCount { return }
        }
        append("<")
        append(node.name)
        for (name, value) in node.attributes { append(value, as: name) }
        if !classes.isEmpty {
            append(classes.joined(separator: " "), as: "class")
            classes = []
        }
        if node.text.isEmpty, node.children.isEmpty {
            append("/>")
            return
        }
        append(">")
        append(escaped: node.text)
        for child in node.children { append(child) }
        if isRoot, !darkRules.isEmpty { appendStyle() }
        append("</")
        append(node.name)
        append(">")
    }

    private mutating func append(_ value: any NodeValue, as name: StaticString) {
        append(" ")
        append(name)
        append("=\"")
        value.write(to: &self, as: name)
        append("\"")
    }

    /// Rules override presentation attributes; viewers without media queries show the light colours.
    private mutating func appendStyle() {
        append("<style>@media (prefers-color-scheme: dark){")
        for (name, declaration) in darkRules.sorted(by: { $0.key < $1.key }) {
            append(escaped: ".\(name){\(declaration)}")
        }
        append("}</style>")
    }

    // MARK: Values

    mutating func append(_ text: StaticString) { text.withUTF8Buffer { bytes.append(contentsOf: $0) } }

    /// Omits characters that XML 1.0 does not allow, and carriage returns, which parsers change.
    mutating func append(escaped text: String) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"):
                bytes += "&#\(byte);".utf8
            case 0x09, 0x0A, 0x20...: bytes.append(byte)
            default: break
            }
            // U+FFFE and U+FFFF.
            if byte == 0xBE || byte == 0xBF, bytes.count > 2, bytes.suffix(3).elementsEqual([0xEF, 0xBF, byte]) {
                bytes.removeLast(3)
            }
        }
    }

    mutating func append(_ number: Int) { bytes += String(number).utf8 }

    /// With one decimal, unless it is 0.
    mutating func append(_ number: Double) {
        let tenths = Int((max(-1e9, min(1e9, number)) * 10).rounded())
        let text = String(Double(tenths) / 10)
        bytes += (tenths.isMultiple(of: 10) ? text.dropLast(2) : text[...]).utf8
    }

    /// A value of the element's current attribute that differs by appearance.
    mutating func append<Value>(light: Value, dark: Value, as name: StaticString, text: (Value) -> String)
    where Value: Equatable {
        append(escaped: text(appearance == .dark ? dark : light))
        guard appearance == .auto, light != dark else { return }
        let value = text(dark)
        let rule = "\(name)-\(value.filter { $0.isLetter || $0.isNumber })"
        darkRules[rule] = "\(name):\(value)"
        classes.append(rule)
    }
}

extension Node {
    fileprivate var isImage: Bool { name.utf8CodeUnitCount == 5 && name.description == "image" }
}

/// A type that an attribute can have.
protocol NodeValue {
    func write(to writer: inout SVGWriter, as name: StaticString)
}

extension String: NodeValue {
    func write(to writer: inout SVGWriter, as name: StaticString) { writer.append(escaped: self) }
}

extension Double: NodeValue {
    func write(to writer: inout SVGWriter, as name: StaticString) { writer.append(self) }
}

extension Int: NodeValue {
    func write(to writer: inout SVGWriter, as name: StaticString) { writer.append(self) }
}

/// Path data, a transformation or a list of numbers: fixed literals with numbers between them.
struct Numbers: NodeValue, ExpressibleByStringInterpolation {
    private let parts: [Part]

    enum Part {
        case literal(String), number(Double)
    }

    struct StringInterpolation: StringInterpolationProtocol {
        var parts: [Part] = []

        init(literalCapacity: Int, interpolationCount: Int) { parts.reserveCapacity(2 * interpolationCount + 1) }
        mutating func appendLiteral(_ literal: String) { parts.append(.literal(literal)) }
        mutating func appendInterpolation(_ number: Double) { parts.append(.number(number)) }
    }

    init(stringLiteral literal: String) { parts = [.literal(literal)] }
    init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }

    func write(to writer: inout SVGWriter, as name: StaticString) {
        for part in parts {
            switch part {
            case .literal(let text): writer.append(escaped: text)
            case .number(let number): writer.append(number)
            }
        }
    }
}

/// An element of a picture. Names are literals, so that no input ever becomes an element's or an attribute's name.
struct Node {
    let name: StaticString
    var attributes: [(name: StaticString, value: any NodeValue)]
    var text: String
    var children: [Node]

    /// Attributes keep their order; nil omits one.
    init(
        _ name: StaticString, _ attributes: KeyValuePairs<StaticString, (any NodeValue)?> = [:], text: String = "",
        @NodeBuilder children: () -> [Node] = { [] }
    ) {
        self.name = name
        self.attributes = attributes.compactMap { name, value in value.map { (name, $0) } }
        self.text = text
        self.children = children()
    }

    /// A complete picture; screen readers read its title and description.
    static func picture(
        width: Double, height: Double, title: String, description: String, @NodeBuilder children: () -> [Node]
    ) -> Node {
        Node(
            "svg",
            [
                "xmlns": "http://www.w3.org/2000/svg", "xmlns:xlink": "http://www.w3.org/1999/xlink",
                "viewBox": "0 0 \(width) \(height)" as Numbers, "width": width, "height": height, "role": "img",
                // If an emoji font is named, librsvg draws digits from it.
                "font-family": "-apple-system, Inter, Helvetica, Arial, sans-serif",
            ]
        ) {
            Node("title", text: title)
            Node("desc", text: description)
            children()
        }
    }

    static func rectangle(
        _ x: Double, _ y: Double, _ width: Double, _ height: Double, radius: Double = 0, _ fill: any NodeValue,
        opacity: Opacity? = nil
    ) -> Node {
        Node(
            "rect",
            ["x": x, "y": y, "width": width, "height": height, "rx": radius, "fill": fill, "fill-opacity": opacity])
    }

    static func path(
        _ data: Numbers, fill: (any NodeValue)? = nil, opacity: Opacity? = nil, stroke: Paint? = nil,
        width: Double? = nil, isRound: Bool = false
    ) -> Node {
        let cap = isRound ? "round" : nil
        return Node(
            "path",
            [
                "d": data, "fill": fill, "fill-opacity": opacity, "stroke": stroke, "stroke-width": width,
                "stroke-linecap": cap, "stroke-linejoin": cap,
            ])
    }

    static func circle(
        _ x: Double, _ y: Double, radius: Double, _ fill: (any NodeValue)?, stroke: Paint? = nil, width: Double? = nil
    ) -> Node {
        Node("circle", ["cx": x, "cy": y, "r": radius, "fill": fill, "stroke": stroke, "stroke-width": width])
    }
}

@resultBuilder
enum NodeBuilder {
    static func buildExpression(_ node: Node?) -> [Node] { node.map { [$0] } ?? [] }
    static func buildExpression(_ nodes: [Node]) -> [Node] { nodes }
    static func buildBlock(_ parts: [Node]...) -> [Node] { parts.flatMap { $0 } }
    static func buildOptional(_ nodes: [Node]?) -> [Node] { nodes ?? [] }
    static func buildEither(first nodes: [Node]) -> [Node] { nodes }
    static func buildEither(second nodes: [Node]) -> [Node] { nodes }
    static func buildArray(_ parts: [[Node]]) -> [Node] { parts.flatMap { $0 } }
}
