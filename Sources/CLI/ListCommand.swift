internal import AdminAPI
internal import ArgumentParser
internal import DeviceSimulator
internal import Fields
internal import HTTP1Client
internal import JSON

struct ListOptions: ParsableArguments {
    @Option(help: ArgumentHelp("How many to show: the newest, or, of devices, the first by name.", valueName: "number"))
    var limit = 100

    @Flag(help: "Show all.") var all = false

    /// `nil` shows all.
    var maximum: Int? { all ? nil : limit }

    func validate() throws {
        guard limit > 0 else { throw ValidationError("--limit is \(limit); accepted: 1 or more") }
    }
}

/// A command that prints a list of the admin API as a table. The gateway filters; the command reads page by page.
protocol ListCommand: AdminCommand {
    associatedtype Element: APIShape

    /// The member of the answer with the list.
    static var member: String { get }
    static var paging: Paging { get }
    static var head: [String] { get }
    static func row(_ element: Element) -> [String]
    /// Usually one row.
    static func rows(_ element: Element) -> [[String]]
    static var nothing: String { get }

    /// The path, and the filters as the query.
    var call: APICall { get }
    var since: UInt64? { get }
    /// `nil` shows all.
    var maximum: Int? { get }
    /// Whether to print new elements as they arrive.
    var follow: Bool { get }
    /// The only element to show, in full; `nil` shows the list.
    var element: String? { get }
}

enum Paging {
    case none
    /// Oldest first; `since` continues after a number, and `wait` waits for more.
    case awaitable
    /// Oldest first; `since` continues after a number.
    case numbered
    /// By name; `cursor` continues after one.
    case named
}

extension ListCommand {
    static var paging: Paging { .none }
    static func rows(_ element: Element) -> [[String]] { [row(element)] }
    var call: APICall { APICall(.get, [Self.member]) }
    var since: UInt64? { nil }
    var maximum: Int? { nil }
    var follow: Bool { false }
    var element: String? { nil }

    func perform(with client: AdminClient) async throws -> CommandResult {
        guard let element else { return try await list(with: client) }
        let answer = try await client.send(APICall(.get, call.segments + [element]))
        let outline = JSONValue(answer.body.span.bytes)?.outline
        return CommandResult(admin.json ? answer.text : outline ?? answer.text)
    }

    /// Prints the list, and with `--follow` new elements until the gateway stops.
    func list(with client: AdminClient) async throws -> CommandResult {
        var listing = Listing<Self>(maximum: maximum)
        var cursor = since.map { String($0) }
        repeat {
            let page = try await read(after: cursor, query: [("limit", "1000")], with: client)
            listing.add(page)
            cursor = page.next ?? cursor
        } while listing.wantsMore
        guard follow else { return try listing.result(isJSON: admin.json) }
        var table = TextTable()
        try write(listing.elements, to: &table)
        while true {
            var query: APICall.Query = [("limit", "1000")]
            if Self.paging == .awaitable {
                query += [("wait", "20s"), ("count", "1")]
            } else if !(try await client.pause(.milliseconds(300))) {
                return .stopping()
            }
            let page = try await read(after: cursor, query: query, with: client)
            try write(page.elements, to: &table)
            if page.outcome == .stopped { return .stopping() }
            cursor = page.next ?? cursor
        }
    }

    func wait(for duration: Duration, count: Int, with client: AdminClient) async throws -> CommandResult {
        let page = try await Waiting.ask(for: duration, outcome: \.outcome) { wait, timeout in
            try await read(
                after: since.map { String($0) },
                query: [("limit", String(max(count, 100))), ("wait", wait), ("count", String(count))],
                timeout: timeout, with: client)
        }
        let output = admin.json ? page.text : try ListPage<Self>.table(page.elements)
        switch page.outcome {
        case .stopped: return .stopping(output)
        case .timedOut where page.elements.count < count:
            let remark = "timed out after \(DurationText.text(duration)): \(page.elements.count) of \(count) matched"
            return CommandResult(output, remark: remark, status: .timedOut)
        case .matched, .timedOut, nil: return CommandResult(output)
        }
    }

    private func read(
        after cursor: String?, query: APICall.Query, timeout: Duration = .seconds(30), with client: AdminClient
    ) async throws -> ListPage<Self> {
        var call = call
        call.timeout = timeout
        switch Self.paging {
        case .none: break
        case .awaitable, .numbered: call.query += [("since", cursor)] + query
        case .named: call.query += [("cursor", cursor)] + query
        }
        return try ListPage(try await client.send(call), to: call, isJSON: admin.json)
    }

    private func write(_ elements: [JSONValue], to table: inout TextTable) throws {
        if admin.json {
            for element in elements { StandardStreams.write(element.text) }
        } else if !elements.isEmpty {
            let head = table.isEmpty ? [Self.head] : []
            StandardStreams.write(table.add(head + (try ListPage<Self>.rows(elements))))
        }
    }
}

extension CommandResult {
    static func stopping(_ output: String = "") -> CommandResult {
        CommandResult(output, remark: "the gateway is stopping", status: .failed)
    }
}

struct ListPage<Command: ListCommand> {
    var json: JSONValue
    /// As the gateway sent it.
    var text: String
    var elements: [JSONValue] = []
    var next: String? { json["next"]?.word }
    var hasMore: Bool { json["hasMore"].map { $0 == .bool(true) } ?? (next != nil) }
    var hasGap: Bool { [json["hasGap"], json["isTruncated"]].contains(.bool(true)) }
    var outcome: WaitOutcome? { json["outcome"].flatMap { WaitOutcome(rawValue: $0.word) } }

    /// - Parameter isJSON: Whether to print the answer without decoding it.
    init(_ answer: HTTPAnswer, to call: APICall, isJSON: Bool) throws(AdminClientError) {
        text = answer.text
        json = JSONValue(answer.body.span.bytes) ?? .null
        if case .array(let elements) = json[Command.member] {
            self.elements = elements
        } else if !isJSON {
            throw .unexpectedAnswer(path: call.path, why: "\(Command.member) is missing")
        }
    }

    static func table(_ elements: [JSONValue]) throws -> String {
        elements.isEmpty ? Command.nothing : TextTable(Command.head, try rows(elements)).text
    }

    static func rows(_ elements: [JSONValue]) throws -> [[String]] {
        do {
            return try elements.flatMap { Command.rows(try Command.Element(from: JSONValueDecoder($0))) }
        } catch {
            throw AdminClientError.unexpectedAnswer(path: Command.member, why: AdminClient.words(error))
        }
    }
}

private struct Listing<Command: ListCommand> {
    let maximum: Int?
    private(set) var elements: [JSONValue] = []
    private var pages = 0
    private var total = 0
    private var hasGap = false
    private var last: ListPage<Command>?

    init(maximum: Int?) { self.maximum = maximum }

    mutating func add(_ page: ListPage<Command>) {
        pages += 1
        total += page.elements.count
        hasGap = hasGap || page.hasGap
        elements += page.elements
        if let maximum {
            // A list by name shows the first elements, a list by number the newest.
            elements = Command.paging == .named ? Array(elements.prefix(maximum)) : elements.suffix(maximum)
        }
        last = page
    }

    /// A full list by name needs no further pages.
    var wantsMore: Bool {
        guard let last, last.hasMore, !last.elements.isEmpty else { return false }
        return Command.paging != .named || maximum.map { total < $0 } ?? true
    }

    func result(isJSON: Bool) throws -> CommandResult {
        guard let last else { return CommandResult("") }
        guard isJSON else { return CommandResult(try ListPage<Command>.table(elements), remark: remark) }
        if pages == 1, elements.count == last.elements.count { return CommandResult(last.text) }
        return CommandResult(last.json.adding([Command.member: .array(elements)]).text)
    }

    private var remark: String {
        var sentences: [String] = []
        if hasGap {
            let count = last?.json["dropped"].map { " (\($0.word) in total)" } ?? ""
            sentences.append("Some requested \(Command.member) have been evicted\(count).")
        }
        if elements.count < total || (Command.paging == .named && last?.hasMore == true) {
            let shown = Command.paging == .named ? "first \(elements.count)" : "newest \(elements.count) of \(total)"
            sentences.append("These are the \(shown); --all shows all.")
        }
        return sentences.joined(separator: "\n")
    }
}
