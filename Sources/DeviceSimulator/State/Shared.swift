/// A value that many hold and nobody changes; two are equal when their values are.
final class Shared<Value: Sendable & Equatable>: Sendable, Equatable {
    let value: Value

    init(_ value: Value) { self.value = value }

    static func == (left: Shared, right: Shared) -> Bool { left === right || left.value == right.value }
}
