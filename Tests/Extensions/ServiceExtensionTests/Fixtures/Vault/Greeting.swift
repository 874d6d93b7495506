import Foundation

// URLSession needs no further import on iOS.
let session: URLSession = .shared

func greeting() -> String {
    Bundle.main.url(forResource: "greeting", withExtension: "txt")
        .flatMap { try? String(contentsOf: $0, encoding: .utf8) }?
        .trimmingCharacters(in: .whitespacesAndNewlines) ?? "no resource"
}
