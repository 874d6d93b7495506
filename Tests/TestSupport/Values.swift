package import Fields

extension FieldDescribed {
    /// The value that a test changes from the default one.
    package static func with(_ edit: (inout Self) throws -> Void) rethrows -> Self {
        var value = Self()
        try edit(&value)
        return value
    }
}
