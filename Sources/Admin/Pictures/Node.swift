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
