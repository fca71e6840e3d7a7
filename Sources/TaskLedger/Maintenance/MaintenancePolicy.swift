import LedgerFormat
import LedgerStorage

/// What ``Ledger/maintain(_:isDryRun:progress:)`` does, and when.
///
/// It is written as a text, one `key = value` a line; empty lines and lines that begin with `#` say nothing. What is not there has
/// its default.
///
/// ```text
/// # Read everything once a day, in a run each hour.
/// verify-percent = 5
/// merge-segments = 16
/// ```
public struct MaintenancePolicy: Hashable, Sendable {
  /// `seal-events`: the active segment is closed and sealed when it holds as many events. 0: only when it is full. Default 1000.
  public var sealEvents: UInt64 = 1000
  /// `verify-percent`: at least so much of the bytes of all sealed segments is read in each run, those first that were read
  /// longest ago; 0 to 100. Default 5.
  public var verifyPercent: UInt64 = 5
  /// `snapshot-events`: a snapshot is made when as many events were sealed since the last one, and at least half as many as
  /// that one holds. 0: none is made. Default 65536.
  public var snapshotEvents: UInt64 = StoreOptions().snapshotEvents
  /// `merge-segments`: segments are merged, as by ``CompactionPolicy/merge``, when there are as many to be rewritten. 0: none
  /// is. Default 8.
  public var mergeSegments: UInt64 = 8
  /// `remove-unneeded`: whether files are removed that neither the ledger nor a reader needs, old snapshots among them; `yes` or
  /// `no`. Default yes.
  public var removesUnneeded = true

  /// The defaults.
  public init() {}

  /// No text of a policy is longer.
  package static let bytesMax = 1 << 16

  /// The keys, in the order in which they are explained.
  package static let keys = [
    "seal-events", "verify-percent", "snapshot-events", "merge-segments", "remove-unneeded",
  ]

  /// Reads the text of a policy.
  ///
  /// - Parameters:
  ///   - text: UTF-8, at most 64 KiB. A byte order mark before it and lines that end in CRLF are fine.
  ///   - path: the file that it is from, for messages.
  /// - Throws: ``LedgerError`` with code `invalid` for a key that there is not, or twice, and for a value that it cannot have; it
  ///   names the line.
  public init(parsing text: [UInt8], path: String? = nil) throws(LedgerError) {
    let mark: [UInt8] = [0xef, 0xbb, 0xbf]
    let content = text.starts(with: mark) ? text.dropFirst(mark.count) : text[...]
    guard text.count <= Self.bytesMax, let text = String(validating: content, as: UTF8.self) else {
      throw LedgerError(
        .invalid, "a policy is a text in UTF-8 of at most \(Self.bytesMax) bytes", path: path,
        hint: "`ledger maintain --help` shows what it says")
    }
    var seen: Set<String> = []
    let lines = text.utf8.split(separator: 0x0a, omittingEmptySubsequences: false)
    for (number, line) in zip(1..., lines) {
      do throws(LedgerError) {
        try read(String(Substring(line)), &seen)
      } catch {
        throw LedgerError(
          .invalid, "line \(number): \(error.sentence)", path: path, cause: error.cause,
          hint: "`ledger maintain --help` explains the keys")
      }
    }
  }

  private mutating func read(_ line: String, _ seen: inout Set<String>) throws(LedgerError) {
    let line = Self.trimmed(line.utf8[...])
    guard !line.isEmpty, line.utf8.first != UInt8(ascii: "#") else { return }
    guard let place = line.utf8.firstIndex(of: UInt8(ascii: "=")) else {
      throw LedgerError(.invalid, "expected key = value, found \"\(line.shortened)\"")
    }
    let key = Self.trimmed(line.utf8[..<place])
    let value = Self.trimmed(line.utf8[line.utf8.index(after: place)...])
    guard let known = Self.keys.first(where: { $0.hasSameBytes(as: key) }) else {
      throw LedgerError(
        .invalid, "there is no key \"\(key.shortened)\"",
        cause: "expected one of \(Self.keys.joined(separator: ", "))")
    }
    guard seen.insert(known).inserted else {
      throw LedgerError(.invalid, "\(known) is there twice")
    }
    switch known {
    case "seal-events": sealEvents = try Self.number(value, known)
    case "verify-percent": verifyPercent = try Self.number(value, known, atMost: 100)
    case "snapshot-events": snapshotEvents = try Self.number(value, known)
    case "merge-segments": mergeSegments = try Self.number(value, known)
    default: removesUnneeded = try Self.answer(value, known)
    }
  }

  /// Without blanks, and the return of a line that ends in CRLF, around it.
  private static func trimmed(_ text: Substring.UTF8View) -> String {
    let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x0d }
    let start = text.drop(while: isBlank)
    let behind = start.reversed().prefix(while: isBlank).count
    return String(Substring(start.dropLast(behind)))
  }

  private static func number(
    _ text: String, _ key: String, atMost most: UInt64 = UInt64(Int64.max)
  ) throws(LedgerError) -> UInt64 {
    let isDigits = !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    guard isDigits, let number = UInt64(text), number <= most else {
      throw LedgerError(
        .invalid, "\(key) is \"\(text.shortened)\"", cause: "expected a number from 0 to \(most)")
    }
    return number
  }

  private static func answer(_ text: String, _ key: String) throws(LedgerError) -> Bool {
    switch text {
    case "yes": return true
    case "no": return false
    default:
      throw LedgerError(
        .invalid, "\(key) is \"\(text.shortened)\"", cause: "expected yes or no")
    }
  }
}

extension Ledger {
  /// The policy that lies in the ledger's folder, in the file `POLICY`; the defaults where there is none.
  ///
  /// - Throws: ``LedgerError`` with code `invalid` as ``MaintenancePolicy/init(parsing:path:)``, `io` when it cannot be read.
  public func maintenancePolicy() throws(LedgerError) -> MaintenancePolicy {
    let path = directory.pathOf(LedgerNames.policy)
    let text: [UInt8]
    do {
      let file = try directory.open(LedgerNames.policy, .read)
      defer { file.close() }
      text = try file.read(at: 0, count: MaintenancePolicy.bytesMax + 1)
    } catch let error as LedgerError where error.code == .notFound {
      return MaintenancePolicy()
    } catch {
      throw LedgerError.wrapping(error)
    }
    return try MaintenancePolicy(parsing: text, path: path)
  }
}
