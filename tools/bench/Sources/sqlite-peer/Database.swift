import BenchSupport
import CSQLite

/// The few calls of SQLite's C interface that the peer needs; an error becomes its sentence.
final class Database {
  private let handle: OpaquePointer

  init(path: String) throws {
    var opened: OpaquePointer?
    let code = sqlite3_open(path, &opened)
    guard code == SQLITE_OK, let opened else {
      sqlite3_close(opened)
      let reason = String(cString: sqlite3_errstr(code))
      throw BenchError("cannot open \(path): \(reason)", exitCode: 74)
    }
    handle = opened
  }

  /// Closes the file, which also folds the write-ahead log back into it.
  deinit {
    sqlite3_close_v2(handle)
  }

  static var version: String { String(cString: sqlite3_libversion()) }

  func execute(_ sql: String) throws {
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw failure(sql) }
  }

  func prepare(_ sql: String) throws -> Statement {
    var prepared: OpaquePointer?
    guard sqlite3_prepare_v2(handle, sql, -1, &prepared, nil) == SQLITE_OK, let prepared else {
      throw failure(sql)
    }
    return Statement(prepared, of: self)
  }

  func failure(_ what: String) -> BenchError {
    BenchError("\(what): \(String(cString: sqlite3_errmsg(handle)))", exitCode: 74)
  }
}

/// A prepared statement. It keeps its database open.
final class Statement {
  private let handle: OpaquePointer
  private let database: Database

  init(_ handle: OpaquePointer, of database: Database) {
    self.handle = handle
    self.database = database
  }

  deinit {
    sqlite3_finalize(handle)
  }

  func bind(_ index: Int32, _ value: Int) {
    sqlite3_bind_int64(handle, index, sqlite3_int64(value))
  }

  /// The bytes are not copied: they must stay where they are until the statement is reset.
  func bind(_ index: Int32, _ text: UnsafeBufferPointer<UInt8>) {
    text.withMemoryRebound(to: CChar.self) {
      _ = sqlite3_bind_text(handle, index, $0.baseAddress, Int32($0.count), nil)
    }
  }

  /// The bytes are copied.
  func bindCopy(_ index: Int32, _ text: [UInt8]) {
    let copy = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    text.withUnsafeBufferPointer { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        _ = sqlite3_bind_text(handle, index, $0.baseAddress, Int32($0.count), copy)
      }
    }
  }

  /// Moves to the next row; false when there is none.
  func step() throws -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw database.failure("step")
    }
  }

  /// Runs a statement that returns no rows, and makes it ready for the next run.
  func run() throws {
    _ = try step()
    sqlite3_reset(handle)
  }

  func integer(_ column: Int32) -> Int {
    Int(sqlite3_column_int64(handle, column))
  }

  /// The bytes are valid until the next step.
  func text(_ column: Int32) -> UnsafeBufferPointer<UInt8> {
    let start = sqlite3_column_text(handle, column)
    return UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
  }
}
