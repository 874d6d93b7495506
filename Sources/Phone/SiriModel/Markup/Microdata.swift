internal import JSON

/// Converts Microdata items to their JSON-LD form (HTML, "Microdata"; without `itemref`).
struct Microdata {
    /// Deeper elements do not count.
    static let depthLimit = 256
    /// Of one property's text.
    static let textLimit = 4096

    private struct Element {
        var name: String
        /// The members of an item that begins here.
        var item: JSONObject?
        /// The property whose value is the element or its text.
        var property: String?
        var text = ""
    }

    private(set) var items: [JSONValue] = []
    private var open: [Element] = []

    private static let void: Set<String> = [
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr",
    ]
    /// The attribute with the value of an element without text.
    private static let sources = [
        "meta": "content", "a": "href", "area": "href", "link": "href", "audio": "src", "embed": "src",
        "iframe": "src", "img": "src", "source": "src", "video": "src", "object": "data", "data": "value",
        "meter": "value", "time": "datetime",
    ]

    mutating func take(_ token: HTMLScanner.Token) {
        switch token {
        case .open(let name, let attributes): begin(name, attributes)
        case .close(let name):
            guard open.contains(where: { $0.name == name }) else { return }
            while let last = open.last {
                end()
                if last.name == name { return }
            }
        case .text(let text):
            if let index = open.lastIndex(where: { $0.property != nil && $0.item == nil }),
                open[index].text.utf8.count + text.utf8.count <= Self.textLimit
            {
                open[index].text += text
            }
        case .script: return
        }
    }

    /// Ends all open items.
    mutating func finish() { while !open.isEmpty { end() } }

    private mutating func begin(_ name: String, _ attributes: [String: String]) {
        var element = Element(name: name)
        element.property = attributes["itemprop"]?.split(separator: " ").first.map(String.init)
        if attributes["itemscope"] != nil {
            let type = attributes["itemtype"]?.split(separator: " ").first.map(String.init)
            element.item = ["@type": type.map { .string($0) }]
        } else if let property = element.property, let source = Self.sources[name], let value = attributes[source] {
            set(property, .string(value))
            element.property = nil
        }
        if Self.void.contains(name) || open.count >= Self.depthLimit { return }
        open.append(element)
    }

    private mutating func end() {
        let element = open.removeLast()
        if let item = element.item {
            if let property = element.property {
                set(property, .object(item))
            } else {
                items.append(.object(item))
            }
        } else if let property = element.property {
            set(property, .string(element.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")))
        }
    }

    /// The first value of a property counts.
    private mutating func set(_ property: String, _ value: JSONValue) {
        guard let index = open.lastIndex(where: { $0.item != nil }), open[index].item?[property] == nil else { return }
        open[index].item?[property] = value
    }
}
