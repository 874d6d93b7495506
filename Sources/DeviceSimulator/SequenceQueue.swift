/// Ascending sequence numbers; cheap to append to and to take the first from.
struct SequenceQueue: Sendable, Equatable {
    private var numbers: [UInt64] = []
    private var head = 0

    var count: Int { numbers.count - head }
    var first: UInt64? { head < numbers.count ? numbers[head] : nil }
    /// The numbers, oldest first.
    var elements: ArraySlice<UInt64> { numbers[head...] }

    /// Appends a number greater than all others.
    mutating func append(_ number: UInt64) {
        numbers.append(number)
    }

    /// Removes a number; nothing happens when it is not there.
    mutating func remove(_ number: UInt64) {
        if first == number {
            head += 1
            // Moving the rest once per so many removals keeps both space and time linear.
            if head >= 16, head * 2 >= numbers.count {
                numbers.removeFirst(head)
                head = 0
            }
            return
        }
        let index = index(after: number - 1)
        if index < numbers.count, numbers[index] == number { numbers.remove(at: index) }
    }

    /// The numbers greater than a number, oldest first.
    func elements(after number: UInt64) -> ArraySlice<UInt64> {
        numbers[index(after: number)...]
    }

    /// The place of the first number greater than a number.
    private func index(after number: UInt64) -> Int {
        var low = head
        var high = numbers.count
        while low < high {
            let middle = low + (high - low) / 2
            if numbers[middle] <= number { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
