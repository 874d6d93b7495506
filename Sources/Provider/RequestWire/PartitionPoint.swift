extension Range<Int> {
    /// The first index for which a condition is false; it is true for all earlier indices and false for all later ones.
    @inlinable @inline(__always)
    public func partitionPoint(_ isBefore: (Int) -> Bool) -> Int {
        var (low, high) = (lowerBound, upperBound)
        while low < high {
            let middle = low + (high - low) / 2
            if isBefore(middle) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
