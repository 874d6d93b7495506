internal import CSQLite

/// A connection to a SQLite file, for one thread at a time.
final class SQLiteConnection {
    private let handle: OpaquePointer
    /// Prepared once, by their text.
    private var statements: [String: OpaquePointer] = [:]

    enum Value {
        case integer(Int64)
        case bytes([UInt8])
        case null
    }

    /// Opens or creates a file.
    init(file: String) throws(SQLiteFailure) {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        let code = sqlite3_open_v2(file, &opened, flags, nil)
        guard code == SQLITE_OK, let opened else {
            let failure = SQLiteFailure(code, of: opened)
            sqlite3_close_v2(opened)
            throw failure
        }
        // In milliseconds: enough for another process that is just exiting.
        sqlite3_busy_timeout(opened, 2000)
        handle = opened
    }

    deinit {
        for statement in statements.values { sqlite3_finalize(statement) }
        sqlite3_close_v2(handle)
    }

    /// Executes statements without parameters.
    func run(_ script: String) throws(SQLiteFailure) { try check(sqlite3_exec(handle, script, nil, nil, nil)) }

    /// Executes a statement with values for its question marks.
    ///
    /// - Returns: The rows of its answer.
    @discardableResult
    func execute(_ sql: String, _ values: Value...) throws(SQLiteFailure) -> [[Value]] {
        let statement = try statement(sql)
        defer {
            // These report the failure of the last step again, and free the bound bytes.
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        for (index, value) in zip(Int32(1)..., values) { try check(bind(value, to: statement, at: index)) }
        var rows: [[Value]] = []
        while true {
            let code = sqlite3_step(statement)
            guard code == SQLITE_ROW else {
                guard code == SQLITE_DONE else { throw SQLiteFailure(code, of: handle) }
                return rows
            }
            rows.append((0..<sqlite3_column_count(statement)).map { Self.column($0, of: statement) })
        }
    }

    /// The first number of a statement's answer; 0 without one.
    func number(_ sql: String) throws(SQLiteFailure) -> Int64 { try execute(sql).first?.first?.integer ?? 0 }

    /// A transaction that writes, undone if the body throws.
    func write(_ body: () throws -> Void) throws {
        try run("BEGIN IMMEDIATE")
        do {
            try body()
            try run("COMMIT")
        } catch {
            // After some failures, such as a full disk, SQLite has done so.
            if sqlite3_get_autocommit(handle) == 0 { try? run("ROLLBACK") }
            throw error
        }
    }

    private func statement(_ sql: String) throws(SQLiteFailure) -> OpaquePointer {
        if let statement = statements[sql] { return statement }
        var prepared: OpaquePointer?
        try check(sqlite3_prepare_v2(handle, sql, -1, &prepared, nil))
        guard let prepared else { throw SQLiteFailure(SQLITE_MISUSE, of: handle) }
        statements[sql] = prepared
        return prepared
    }

    private func bind(_ value: Value, to statement: OpaquePointer, at index: Int32) -> Int32 {
        switch value {
        case .integer(let integer): sqlite3_bind_int64(statement, index, integer)
        case .bytes(let bytes):
            bytes.withUnsafeBytes { shim_bind_blob(statement, index, $0.baseAddress, UInt64($0.count)) }
        case .null: sqlite3_bind_null(statement, index)
        }
    }

    private static func column(_ index: Int32, of statement: OpaquePointer) -> Value {
        switch sqlite3_column_type(statement, index) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, index))
        case SQLITE_NULL: return .null
        default:
            // In this order: the first call may convert the value.
            let start = sqlite3_column_blob(statement, index)
            let bytes = UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, index)))
            return .bytes(Array(bytes))
        }
    }

    private func check(_ code: Int32) throws(SQLiteFailure) {
        guard code == SQLITE_OK else { throw SQLiteFailure(code, of: handle) }
    }
}

extension SQLiteConnection.Value {
    init(_ bits: UInt64) { self = .integer(Int64(bitPattern: bits)) }

    /// Of a number above `Int64.max`, too.
    var bits: UInt64? { integer.map { UInt64(bitPattern: $0) } }

    var integer: Int64? { if case .integer(let integer) = self { integer } else { nil } }

    var bytes: [UInt8]? { if case .bytes(let bytes) = self { bytes } else { nil } }
}

/// What SQLite reports.
struct SQLiteFailure: Error {
    /// A primary result code, such as `SQLITE_FULL`.
    let code: Int32
    let message: String

    init(_ code: Int32, of connection: OpaquePointer?) {
        self.code = code & 0xFF
        message = String(cString: connection.map { sqlite3_errmsg($0) } ?? sqlite3_errstr(code))
    }
}
