/// A binary heap in chunks: unlike that of one array, its growth moves no elements, which takes milliseconds if there are
/// many.
struct ChunkedHeap<Element: Comparable> {
    /// All but the last one are full; none is empty.
    private var chunks: ContiguousArray<ContiguousArray<Element>> = []
    private(set) var count = 0

    private static var chunkCapacity: Int { 1024 }

    var min: Element? { chunks.first?.first }

    private subscript(place: Int) -> Element {
        get { chunks[place / Self.chunkCapacity][place % Self.chunkCapacity] }
        set { chunks[place / Self.chunkCapacity][place % Self.chunkCapacity] = newValue }
    }

    mutating func insert(_ element: Element) {
        append(element)
        var place = count - 1
        while place > 0 {
            let parent = (place - 1) / 2
            guard element < self[parent] else { break }
            self[place] = self[parent]
            place = parent
        }
        self[place] = element
    }

    mutating func popMin() -> Element? {
        guard let first = min, let last = popLast() else { return nil }
        guard count > 0 else { return first }
        var place = 0
        while let child = lesserChild(of: place), self[child] < last {
            self[place] = self[child]
            place = child
        }
        self[place] = last
        return first
    }

    private func lesserChild(of place: Int) -> Int? {
        let child = 2 * place + 1
        guard child < count else { return nil }
        return child + 1 < count && self[child + 1] < self[child] ? child + 1 : child
    }

    private mutating func append(_ element: Element) {
        if count == chunks.count * Self.chunkCapacity {
            var chunk: ContiguousArray<Element> = []
            chunk.reserveCapacity(Self.chunkCapacity)
            chunks.append(chunk)
        }
        chunks[chunks.count - 1].append(element)
        count += 1
    }

    private mutating func popLast() -> Element? {
        guard count > 0 else { return nil }
        count -= 1
        let last = chunks[chunks.count - 1].removeLast()
        if chunks[chunks.count - 1].isEmpty { chunks.removeLast() }
        return last
    }
}
