import LedgerCore
import LedgerFormat

/// Text that people and programs write: commands, queries, patterns.
enum TextChecks {
  private static func failure(_ body: () throws(LedgerError) -> Void) -> LedgerError? {
    do throws(LedgerError) {
      try body()
      return nil
    } catch {
      return error
    }
  }

  /// A line of `apply`, and a document, and a stream of lines.
  static func apply(_ bytes: [UInt8]) throws {
    if let error = failure({ () throws(LedgerError) in _ = try ApplyLine(bytes[...], number: 1) }),
      error.code != .badLine || !error.sentence.hasPrefix("line 1")
    {
      throw FuzzFinding("a line gives the error \(error)")
    }
    _ = TransactionToken.find(in: bytes[...])
    guard let read = try? DocumentReader.document(bytes[...]) else { return }
    var item = TaskItem(id: read.id ?? "x", body: "")
    for change in read.changes.changes { item[change.name.text] = change.value }
    let text = item.canonicalJSON
    guard let again = try? DocumentReader.document(text[...]) else {
      throw FuzzFinding("a document is shown as what is none: \(item.json)")
    }
    for change in read.changes.changes where change.value != nil {
      guard again.changes.changes.contains(change) else {
        throw FuzzFinding("a document loses \(change.name): \(item.json)")
      }
    }
  }

  private static let tasks = [
    TaskItem(id: "milk", body: "Get milk"),
    TaskItem(id: "x", body: "e\u{301}\u{10000}"),
  ]

  /// A query that is read prints as one that reads the same and answers the same.
  static func query(_ bytes: [UInt8]) throws {
    guard let text = String(validating: bytes, as: UTF8.self) else { return }
    guard let query = try? Query(text) else {
      let error = failure { () throws(LedgerError) in _ = try Query(text) }
      guard error?.code == .invalid else {
        throw FuzzFinding("a query gives the error \(String(describing: error))")
      }
      return
    }
    let printed = query.description
    guard let again = try? Query(printed), again.description.utf8.elementsEqual(printed.utf8) else {
      throw FuzzFinding("a query prints as what does not read as it: \(printed)")
    }
    for task in tasks where query.matches(task) != again.matches(task) {
      throw FuzzFinding("a query prints as one that answers otherwise: \(printed)")
    }
  }

  /// A pattern, then what it is looked for in, with a line break between. The steps grow with the text, whatever the pattern.
  static func pattern(_ bytes: [UInt8]) throws {
    guard let all = String(validating: bytes, as: UTF8.self) else { return }
    let cut = all.unicodeScalars.firstIndex(of: "\n") ?? all.unicodeScalars.endIndex
    let text = String(all.unicodeScalars[cut...])
    guard let pattern = try? TextPattern(String(all.unicodeScalars[..<cut])) else { return }
    let (once, twice) = (pattern.steps(in: text), pattern.steps(in: text + text))
    guard twice <= 3 * once + 20_000 else {
      throw FuzzFinding("\(once) steps become \(twice) in a text twice as long")
    }
  }
}
