internal import Foundation

/// A format of `os_log`: C's, with options in braces such as `%{public}@`.
struct OSLogFormat {
    private enum Piece {
        case text(String)
        /// What C's `printf` takes, with how many arguments.
        case value(String, count: Int, isHidden: Bool)
        /// The text of `errno`.
        case error
    }

    private var pieces: [Piece] = []

    init(_ format: String) {
        var rest = format[...]
        while let start = rest.firstIndex(of: "%") {
            pieces.append(.text(String(rest[..<start])))
            rest = rest[start...]
            guard let match = rest.prefixMatch(of: /%(?:\{([^}]*)\})?([-+ 0#']*[0-9*]*(?:\.[0-9*]*)?[hlqLztj]*)(.)/)
            else {
                break
            }
            pieces.append(Self.piece(options: match.1 ?? "", form: match.2, letter: match.3))
            rest = rest[match.range.upperBound...]
        }
        pieces.append(.text(String(rest)))
    }

    private static func piece(options: Substring, form: Substring, letter: Substring) -> Piece {
        switch letter {
        case "%": return .text("%")
        case "m": return .error
        default:
            let words = options.split(separator: ",").map { $0.filter { $0 != " " } }
            return .value(
                "%" + form + letter, count: form.count { $0 == "*" } + 1,
                isHidden: words.contains("private") || words.contains("sensitive"))
        }
    }

    /// The line: a value is shown unless it is marked as private or sensitive.
    func text(_ arguments: [any CVarArg], error: Int32) -> String {
        var rest = arguments[...]
        return pieces.reduce(into: "") { text, piece in
            switch piece {
            case .text(let part): text += part
            case .error: text += String(cString: strerror(error))
            case .value(let form, let count, let isHidden):
                // Too few arguments are undefined in C.
                if rest.count >= count {
                    text += isHidden ? "<private>" : String(format: form, arguments: Array(rest.prefix(count)))
                }
                rest = rest.dropFirst(count)
            }
        }
    }
}
