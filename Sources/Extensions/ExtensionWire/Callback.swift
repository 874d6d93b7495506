/// A closure of the extension's that is called once, from a thread of ours.
///
/// Apple's completion handlers are not `Sendable` for callers in the Swift 5 mode.
///
/// `@unchecked`: the closure is handed over, not shared: whoever made the box does not call it any more.
package struct Callback<Value>: @unchecked Sendable {
    private let body: (Value) -> Void

    package init(_ body: @escaping (Value) -> Void) { self.body = body }

    package func callAsFunction(_ value: Value) { body(value) }
}
