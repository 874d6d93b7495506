internal import CLibPQ
package import DeviceSimulator
internal import FoundationEssentials
internal import Glibc

/// Why a statement has no result.
enum PostgresFailure: Error {
    /// The server refused it, so nothing changed.
    /// - code: SQLSTATE, five characters.
    case refused(code: String, message: String)
    /// The statement may have taken effect, or may do so later.
    case unknown(String)
    /// There is no connection, so nothing was sent.
    case unreachable(String)
}

/// A parameter of a statement, sent in binary.
enum PostgresValue {
    case integer(Int64)
    case text(String)
    case bytes([UInt8])

    static func position(_ position: UInt64) -> PostgresValue { .integer(Int64(bitPattern: position)) }

    /// Object identifiers of `int8`, `text` and `bytea` (pg_type.dat).
    fileprivate var type: UInt32 {
        switch self {
        case .integer: 20
        case .text: 25
        case .bytes: 17
        }
    }

    fileprivate func write(to bytes: inout [UInt8]) {
        switch self {
        case .integer(let number): withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
        case .text(let text): bytes.append(contentsOf: text.utf8)
        case .bytes(let value): bytes.append(contentsOf: value)
        }
    }
}

/// A row of a result, in binary. An integer column must be an `int8`.
struct PostgresRow {
    let columns: [[UInt8]]

    func integer(_ column: Int) -> Int64 { columns[column].reduce(0) { $0 << 8 | Int64($1) } }
    func position(_ column: Int) -> UInt64 { UInt64(bitPattern: integer(column)) }
    func text(_ column: Int) -> String { String(decoding: columns[column], as: UTF8.self) }
}

struct PostgresResult {
    var rows: [PostgresRow] = []
    /// Inserted, updated, deleted or selected.
    var count = 0
}

/// A connection that opens itself when needed. Its calls block.
///
/// - Note: Not `Sendable`. Runs one statement at a time; the next one waits for an unfinished one. Never cancels a wait for
///   standbys, because the primary would keep the commit.
final class PostgresConnection {
    private let functions: libpq
    private let keywords: [String]
    private let values: [String]
    private var connection: OpaquePointer?
    /// Whether a statement was sent and has not ended.
    private var isPending = false
    private let warnings = Warnings()
    /// Called on each new connection.
    private let prepare: @Sendable (PostgresConnection) throws(PostgresFailure) -> Void

    /// Opens no connection.
    /// - Parameter address: A connection string as libpq reads it, already checked by `PostgresAddress`.
    init(
        _ address: PostgresAddress, prepare: @escaping @Sendable (PostgresConnection) throws(PostgresFailure) -> Void
    ) {
        functions = address.functions
        // The address may override what precedes `dbname`. A dead link is given up within seconds, a slow server is not.
        let parameters = [
            ("connect_timeout", "2"), ("keepalives_idle", "2"), ("keepalives_interval", "1"), ("keepalives_count", "3"),
            ("tcp_user_timeout", "5000"), ("target_session_attrs", "read-write"), ("application_name", "pushcote"),
            ("dbname", address.text), ("client_encoding", "UTF8"),
        ]
        keywords = parameters.map(\.0)
        values = parameters.map(\.1)
        self.prepare = prepare
    }

    deinit { close() }

    func close() {
        if let connection { functions.finish(connection) }
        connection = nil
        isPending = false
    }

    /// - Parameter patience: How long to wait for the result; the server may still complete the statement.
    @discardableResult
    func execute(
        _ statement: String, _ parameters: [PostgresValue] = [], patience: Duration
    ) throws(PostgresFailure) -> PostgresResult {
        let deadline = ContinuousClock.now + patience
        if isPending {
            do throws(PostgresFailure) {
                _ = try finish(until: deadline)
            } catch .refused {
                // The earlier statement has ended, which is all that counts.
            } catch .unknown(let reason) where isPending {
                throw .unreachable(reason)
            } catch {}
        }
        let connection = try open()
        warnings.latest = nil
        guard send(statement, parameters, on: connection) else { throw lost(connection) }
        isPending = true
        let result = try finish(until: deadline)
        // A commit that gave up waiting for standbys succeeds with a warning.
        if let warning = warnings.latest { throw .unknown(warning) }
        return result
    }

    private func open() throws(PostgresFailure) -> OpaquePointer {
        if let connection { return connection }
        let names = keywords.map { strdup($0) }
        let texts = values.map { strdup($0) }
        defer { for text in names + texts { free(text) } }
        let opened = functions.connectdbParams(
            (names + [nil]).map { UnsafePointer($0) }, (texts + [nil]).map { UnsafePointer($0) }, 1)
        guard let opened else { throw .unreachable("out of memory") }
        guard functions.status(opened) == 0, functions.setnonblocking(opened, 1) == 0 else {
            defer { functions.finish(opened) }
            throw .unreachable(message(of: opened))
        }
        // `warnings` lives as long as the connection.
        _ = functions.setNoticeReceiver(
            opened, { context, result in Warnings.from(context).add(result) },
            Unmanaged.passUnretained(warnings).toOpaque())
        warnings.severity = functions.resultErrorField
        connection = opened
        do throws(PostgresFailure) {
            try prepare(self)
        } catch {
            close()
            throw .unreachable(error.message)
        }
        return opened
    }

    private func send(_ statement: String, _ parameters: [PostgresValue], on connection: OpaquePointer) -> Bool {
        var bytes: [UInt8] = []
        var lengths: [Int32] = []
        for parameter in parameters {
            let start = bytes.count
            parameter.write(to: &bytes)
            lengths.append(Int32(bytes.count - start))
        }
        // An empty array has no address.
        bytes.append(0)
        return bytes.withUnsafeBytes { buffer in
            var offset = 0
            let pointers = lengths.map { length -> UnsafePointer<CChar>? in
                defer { offset += Int(length) }
                return buffer.baseAddress?.advanced(by: offset).assumingMemoryBound(to: CChar.self)
            }
            return functions.sendQueryParams(
                connection, statement, Int32(parameters.count), parameters.map(\.type), pointers, lengths,
                parameters.map { _ in 1 }, 1) == 1
        }
    }

    /// Waits for the end of the statement that was sent.
    private func finish(until deadline: ContinuousClock.Instant) throws(PostgresFailure) -> PostgresResult {
        guard let connection else { throw .unknown("the connection is lost") }
        var outcome = PostgresResult()
        var refusal: PostgresFailure?
        while true {
            try wait(for: connection, until: deadline)
            guard let result = functions.getResult(connection) else { break }
            defer { functions.clear(result) }
            switch functions.resultStatus(result) {
            // PGRES_COMMAND_OK, PGRES_TUPLES_OK
            case 1, 2: outcome = read(result)
            default:
                refusal = .refused(code: field("C", of: result) ?? "", message: field("M", of: result) ?? "")
            }
        }
        guard functions.status(connection) == 0 else { throw lost(connection) }
        isPending = false
        if case .refused(let code, let message) = refusal {
            // The server is shutting down, perhaps between a commit and its copy on a standby.
            guard code.hasPrefix("57P") else { throw .refused(code: code, message: message) }
            close()
            throw .unknown(message)
        }
        return outcome
    }

    private func wait(
        for connection: OpaquePointer, until deadline: ContinuousClock.Instant
    ) throws(PostgresFailure) {
        while true {
            let unsent = functions.flush(connection)
            guard unsent >= 0 else { throw lost(connection) }
            guard unsent > 0 || functions.isBusy(connection) != 0 else { return }
            let left = (deadline - .now) / .milliseconds(1)
            guard left > 0 else { throw .unknown("it has not answered in time") }
            var descriptor = pollfd(
                fd: functions.socket(connection), events: Int16(POLLIN | (unsent > 0 ? POLLOUT : 0)), revents: 0)
            poll(&descriptor, 1, Int32(left.rounded(.up)))
            if descriptor.revents & ~Int16(POLLOUT) != 0, functions.consumeInput(connection) == 0 {
                throw lost(connection)
            }
        }
    }

    private func lost(_ connection: OpaquePointer) -> PostgresFailure {
        defer { close() }
        return .unknown(message(of: connection))
    }

    private func read(_ result: OpaquePointer) -> PostgresResult {
        let columns = functions.nfields(result)
        let rows = (0..<functions.ntuples(result)).map { row in
            PostgresRow(
                columns: (0..<columns).map { column in
                    let value = UnsafeRawPointer(functions.getvalue(result, row, column))
                    return value.map {
                        [UInt8](
                            UnsafeRawBufferPointer(start: $0, count: Int(functions.getlength(result, row, column))))
                    } ?? []
                })
        }
        let count = functions.cmdTuples(result).flatMap { Int(String(cString: $0)) }
        return PostgresResult(rows: rows, count: count ?? 0)
    }

    private func field(_ code: Unicode.Scalar, of result: OpaquePointer) -> String? {
        functions.resultErrorField(result, Int32(code.value)).map { String(cString: $0) }
    }

    /// On one line. libpq names the host, the user and the database, not the password.
    private func message(of connection: OpaquePointer) -> String {
        let text = functions.errorMessage(connection).map { String(cString: $0) } ?? ""
        return text.split(whereSeparator: \.isNewline).joined(separator: " ").replacing("\t", with: "")
    }
}

/// A connection string, checked.
package struct PostgresAddress: @unchecked Sendable {
    // `@unchecked`: the functions are libpq's and never change.
    fileprivate let functions: libpq
    let text: String

    /// - Throws: When there is no libpq, or the text is no connection string. The message does not repeat the text, which
    ///   may contain a password.
    package init(_ text: String) throws(JournalProblem) {
        guard let functions = shim_libpq()?.pointee else {
            throw JournalProblem(
                file: "libpq.so.5", reason: "is missing or cannot be loaded, and journal: postgres needs it",
                remedy: "Install the package libpq5 (Debian, Ubuntu) or libpq, or set journal to sqlite")
        }
        guard let options = functions.conninfoParse(text, nil) else {
            throw JournalProblem(
                file: "postgres.connection", reason: "is not a connection string",
                remedy: "Write postgresql://user:password@host:port/database, or host=… port=… dbname=… user=…")
        }
        functions.conninfoFree(options)
        self.functions = functions
        self.text = text
    }
}

/// Filled by libpq within its calls.
private final class Warnings {
    var latest: String?
    var severity: (@convention(c) (OpaquePointer, Int32) -> UnsafeMutablePointer<CChar>?)?

    static func from(_ context: UnsafeMutableRawPointer) -> Warnings {
        Unmanaged<Warnings>.fromOpaque(context).takeUnretainedValue()
    }

    func add(_ result: OpaquePointer) {
        // The severity in English, and the message.
        guard let word = severity?(result, 86), String(cString: word) == "WARNING" else { return }
        latest = severity?(result, 77).map { String(cString: $0) } ?? "a warning"
    }
}
