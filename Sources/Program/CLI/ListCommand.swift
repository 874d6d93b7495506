internal import ArgumentParser
internal import Clients
internal import DeviceSimulator
internal import Fields
internal import JSON

struct ListOptions: ParsableArguments {
    @Option(help: ArgumentHelp("How many to show: the newest; of devices, the first by name.", valueName: "number"))
    var limit = 100

    @Flag(help: "Show all.") var all = false

    /// `nil` shows all.
    var maximum: Int? { all ? nil : limit }

    func validate() throws {
        guard limit > 0 else { throw ValidationError("--limit is \(limit); accepted: 1 or more") }
    }
}

struct WaitOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Wait at most this long, such as 500ms, 10s or PT10S.", valueName: "duration"))
    var wait: Duration?

    @Option(help: ArgumentHelp("How many to wait for, 1 to 1000. (default: 1)", valueName: "number"))
    var count: Int?

    func validate() throws {
        guard count == nil || wait != nil else { throw ValidationError("--count needs --wait") }
        guard (1...1000).contains(count ?? 1) else {
            throw ValidationError("--count is \(count ?? 1); accepted: 1 to 1000")
        }
    }
}

/// A command that prints a list of the admin API as a table. The gateway filters; the command reads page by page.
protocol ListCommand: AdminCommand {
    /// The member of the answer with the list.
    static var member: String { get }
    static var paging: Paging { get }
    static var columns: [Column] { get }
    /// The cells of an element; usually one row.
    static func rows(_ element: Answer) -> [[String]]
    static var nothing: String { get }

    /// The path, and the filters as the query.
    var call: APICall { get }
    var since: UInt64? { get }
    /// `nil` shows all.
    var maximum: Int? { get }
    /// Whether to print new elements as they arrive.
    var follow: Bool { get }
    /// `nil` if the list has no wait.
    var waiting: WaitOptions? { get }
    /// The only element to show, in full; `nil` shows the list.
    var element: String? { get }
}

enum Paging {
    case none
    /// All at once; `wait` waits for more.
    case whole
    /// Oldest first; `since` continues after a number, and `wait` waits for more.
    case awaitable
    /// The same, or newest first; `before` continues before a number.
    case newestFirst
    /// By name; `cursor` continues after one.
    case named
}

extension ListCommand {
    static var paging: Paging { .none }
    static var head: [String] { columns.map(\.head) }
    static func row(_ element: Answer) -> [String] { columns.map { $0.cell(element) ?? "" } }
    static func rows(_ element: Answer) -> [[String]] { [row(element)] }
    static func table(_ elements: [Answer]) -> String {
        elements.isEmpty ? nothing : TextTable(head, elements.flatMap(rows)).text
    }
    var call: APICall { APICall(.get, [Self.member]) }
    var since: UInt64? { nil }
    var maximum: Int? { nil }
    var follow: Bool { false }
    var element: String? { nil }
    var waiting: WaitOptions? { nil }

    /// Options that select elements of the list, or wait for more, do not apply to one element.
    func validate() throws {
        guard !follow || waiting?.wait == nil else { throw ValidationError("--follow and --wait exclude each other") }
        guard let element else { return }
        let filters = call.query.filter { $0.value != nil }.map(\.name)
        let others = [("since", since != nil), ("follow", follow), ("wait", waiting?.wait != nil)].filter(\.1).map(\.0)
        if let option = (filters + others).first {
            throw ValidationError("--\(option) needs the list; give it without '\(element)'")
        }
    }

    func perform(with client: AdminClient) async throws -> CommandResult {
        if let duration = waiting?.wait {
            return try await wait(for: duration, count: waiting?.count ?? 1, with: client)
        }
        guard let element else { return try await list(with: client) }
        return try await print(APICall(.get, call.segments + [element]), with: client) { $0.json?.outline ?? "" }
    }

    /// Prints the list, and with `--follow` new elements until the gateway stops.
    func list(with client: AdminClient) async throws -> CommandResult {
        let listing = try await listing(with: client)
        guard follow else { return listing.result(isJSON: admin.json) }
        var cursor = listing.cursor
        var table = TextTable()
        write(listing.elements, to: &table)
        while true {
            // A wait ends with the first element; the next page has the rest of a burst.
            for query: APICall.Query in [[("wait", "20s")], [("limit", "1000")]] {
                let page = try await read(after: cursor, query: query, with: client)
                write(page.elements, to: &table)
                cursor = page.next ?? cursor
                if page.answer.waitOutcome == .stopped { return .stopping() }
                if page.answer.waitOutcome == .timedOut { break }
            }
        }
    }

    /// Reads the list page by page.
    func listing(with client: AdminClient) async throws -> Listing<Self> {
        var listing = Listing<Self>(maximum: maximum, cursor: since.map { String($0) })
        if Self.paging == .newestFirst, since == nil, let maximum {
            var before: String?
            repeat {
                let limit = min(1000, max(1, maximum - listing.elements.count))
                let page = try await read(
                    query: [("order", "newest"), ("before", before), ("limit", String(limit))], with: client)
                listing.addEarlier(page)
                before = page.next
            } while listing.wantsMore
        } else {
            repeat {
                listing.add(try await read(after: listing.cursor, query: [("limit", "1000")], with: client))
            } while listing.wantsMore
        }
        return listing
    }

    func wait(for duration: Duration, count: Int, with client: AdminClient) async throws -> CommandResult {
        let page = try await Waiting.ask(for: duration, outcome: \.answer.waitOutcome) { wait, timeout in
            try await read(
                after: since.map { String($0) },
                query: [("limit", String(max(count, 100))), ("wait", wait), ("count", String(count))],
                timeout: timeout, with: client)
        }
        let output = admin.json ? page.text : Self.table(page.elements)
        switch page.answer.waitOutcome {
        case .stopped: return .stopping(output)
        case .timedOut where page.elements.count < count:
            let remark = "timed out after \(DurationText.text(duration)): \(page.elements.count) of \(count) matched"
            return CommandResult(output, remark: remark, status: .timedOut)
        case .matched, .timedOut, nil: return CommandResult(output)
        }
    }

    private func read(
        after cursor: String? = nil, query: APICall.Query, timeout: Duration = .seconds(30), with client: AdminClient
    ) async throws -> ListPage<Self> {
        var call = call
        call.timeout = timeout
        switch Self.paging {
        case .none: break
        case .whole: call.query += query.filter { $0.name != "limit" }
        case .awaitable, .newestFirst: call.query += [("since", cursor)] + query
        case .named: call.query += [("cursor", cursor)] + query
        }
        return try ListPage(try await client.send(call), to: call, isJSON: admin.json)
    }

    private func write(_ elements: [Answer], to table: inout TextTable) {
        if admin.json {
            for element in elements { StandardStreams.write(element.json?.text ?? "") }
        } else if !elements.isEmpty {
            let head = table.isEmpty && Self.head != [""] ? [Self.head] : []
            StandardStreams.write(table.add(head + elements.flatMap(Self.rows)))
        }
    }
}

extension CommandResult {
    static func stopping(_ output: String = "") -> CommandResult {
        CommandResult(output, remark: "the gateway is stopping", status: .failed)
    }
}

struct ListPage<Command: ListCommand> {
    var answer: Answer
    /// As the gateway sent it.
    var text: String
    var elements: [Answer] { answer[Command.member].elements }
    var next: String? { answer.next.word }
    var hasMore: Bool { answer.hasMore.json.map { $0 == .bool(true) } ?? (next != nil) }
    var hasGap: Bool { answer.hasGap.isTrue || answer.isTruncated.isTrue }

    /// - Parameter isJSON: Whether to print the answer without reading it.
    init(_ answer: HTTPAnswer, to call: APICall, isJSON: Bool) throws(AdminClientError) {
        text = answer.text
        self.answer = Answer(JSONValue(answer.body.span.bytes))
        guard case .array? = self.answer[Command.member].json else {
            if isJSON { return }
            throw .unexpectedAnswer(path: call.path, why: "\(Command.member) is missing")
        }
    }
}

struct Listing<Command: ListCommand> {
    let maximum: Int?
    /// Oldest first.
    private(set) var elements: [Answer] = []
    /// The cursor for what comes after the list.
    private(set) var cursor: String?
    private var isNewestFirst = false
    private var pages = 0
    private var total = 0
    private var isTotalExact = true
    private var hasGap = false
    private var dropped: Int?
    private var hasMore = false
    private var last: ListPage<Command>?

    /// - Parameter cursor: Where the list begins; `nil` for all.
    init(maximum: Int?, cursor: String?) { (self.maximum, self.cursor) = (maximum, cursor) }

    mutating func add(_ page: ListPage<Command>) {
        count(page)
        total += page.elements.count
        elements = shown(elements + page.elements)
        cursor = page.next ?? cursor
    }

    /// Adds a page with the newest first.
    mutating func addEarlier(_ page: ListPage<Command>) {
        count(page)
        if pages == 1 {
            isNewestFirst = true
            cursor = page.answer.since.word
            total = page.answer.total.int ?? page.elements.count
            isTotalExact = page.answer.isTotalExact.json != .bool(false)
        }
        elements = shown(page.elements.reversed() + elements)
    }

    /// Adds the list of another gateway, in the order of a member.
    mutating func merge(_ other: Listing, by key: String) {
        elements = shown((elements + other.elements).sorted { $0[key].line < $1[key].line })
        total += other.total
        isTotalExact = isTotalExact && other.isTotalExact
        hasGap = hasGap || other.hasGap
        hasMore = hasMore || other.hasMore
        if let more = other.dropped { dropped = (dropped ?? 0) + more }
    }

    /// The list with another member in each element.
    func marked(_ name: String, _ value: String) -> Listing {
        var marked = self
        marked.elements = elements.map { Answer($0.json?.adding([name: .string(value)])) }
        return marked
    }

    private mutating func count(_ page: ListPage<Command>) {
        pages += 1
        hasGap = hasGap || page.hasGap
        hasMore = page.hasMore
        dropped = page.answer.dropped.int ?? dropped
        last = page
    }

    /// A list by name shows the first elements, a list by number the newest.
    private func shown(_ elements: [Answer]) -> [Answer] {
        guard let maximum else { return elements }
        return Array(Command.paging == .named ? elements.prefix(maximum) : elements.suffix(maximum))
    }

    /// A full list by name or of the newest needs no further pages.
    var wantsMore: Bool {
        guard let last, hasMore, !last.elements.isEmpty else { return false }
        if Command.paging == .named { return maximum.map { total < $0 } ?? true }
        return !isNewestFirst || maximum.map { elements.count < $0 } ?? true
    }

    func result(isJSON: Bool) -> CommandResult {
        guard let last else { return CommandResult("") }
        guard isJSON else { return CommandResult(Command.table(elements), remark: remark) }
        guard isNewestFirst, case .object(var members) = last.answer.json, let cursor else {
            if pages == 1, elements.count == last.elements.count { return CommandResult(last.text) }
            return CommandResult(last.answer.json?.adding([Command.member: list]).text ?? "")
        }
        // In the form of a list read oldest first.
        members[Command.member] = list
        members["next"] = .string(cursor)
        members["hasMore"] = .bool(false)
        members["since"] = nil
        return CommandResult(JSONValue.object(members).text)
    }

    var list: JSONValue { .array(elements.compactMap(\.json)) }

    /// What the list omits; empty if it shows all.
    var remark: String {
        var sentences: [String] = []
        if hasGap {
            let count = dropped.map { " (\($0) in total)" } ?? ""
            sentences.append("Some requested \(Command.member) have been evicted\(count).")
        }
        if elements.count < total || (Command.paging == .named && hasMore) {
            let all = isTotalExact ? "\(total)" : "more than \(total)"
            let shown = Command.paging == .named ? "first \(elements.count)" : "newest \(elements.count) of \(all)"
            sentences.append("These are the \(shown); --all shows all.")
        }
        return sentences.joined(separator: "\n")
    }
}
