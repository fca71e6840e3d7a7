import LedgerCore

/// Gathers the fields of JSON objects, nested ones under dotted names, and the place of each for messages.
///
/// Time is linear in the text (but for the sorting of names), and memory is bounded: names and elements have a budget of
/// several events, so that neither a long outer name before a million short inner ones nor a line full of tiny values
/// takes many times its own size.
struct FieldReader {
  /// The `_id` of the object read, where it is taken out.
  private(set) var id: TaskID?
  private let takesID: Bool
  private var changes: [FieldChange] = []
  /// Where each change stands, in the same order.
  private var positions: [Int] = []
  /// The bytes of canonical JSON that names and elements take at least.
  private var spent = 0

  /// What they may take: no event holds more than a quarter of it, more can only mean fields that stay as they are.
  private static let spentMax = 4 * Limits.eventBytesMax

  /// - Parameter takesID: Whether `_id` of the outermost object is the id of the task, not a field.
  init(takesID: Bool = false) { self.takesID = takesID }

  /// Passes an object and adds its leaves: values to set and, where null stands, to unset.
  mutating func readObject(_ scanner: inout JSONScanner) throws(JSONProblem) {
    guard try scanner.open(.object) else { return }
    try readMembers(of: nil, &scanner)
  }

  /// Passes what a field may hold, an object included.
  mutating func readField(
    _ name: FieldName, at position: Int, _ scanner: inout JSONScanner
  ) throws(JSONProblem) {
    guard scanner.current != 0x7b else {
      guard try scanner.open(.object) else { return }
      return try readMembers(of: name, &scanner)
    }
    do {
      var elements = 0
      let value = try scanner.valueOrNull(elements: &elements)
      try spend(elements, at: position)
      add(FieldChange(name, value), at: position)
    } catch {
      throw error.inField(name)
    }
  }

  /// Passes an array of names and adds each as an unset.
  mutating func readNames(_ scanner: inout JSONScanner) throws(JSONProblem) {
    guard try scanner.open(.array) else { return }
    repeat {
      let position = scanner.position
      guard scanner.current == 0x22 else {
        throw scanner.mismatch(expected: "the name of a field")
      }
      let text = scanner.string(try scanner.text())
      add(FieldChange(try name(text, at: position), nil), at: position)
    } while try scanner.hasNext(in: .array)
  }

  private mutating func readMembers(
    of parent: FieldName?, _ scanner: inout JSONScanner
  ) throws(JSONProblem) {
    if changes.isEmpty { reserve(8) }
    let first = changes.count
    // A leaf named twice is found by the ChangeSet. An object leaves no trace of its own there, so from the first
    // nested one on the names of the members are kept.
    var seen: Set<FieldName>?
    repeat {
      let position = scanner.position
      let text = try scanner.key()
      if takesID, parent == nil, scanner.matches(text, "_id") {
        try readID(at: position, &scanner)
        continue
      }
      let key = scanner.string(text)
      let name = try self.name(parent.map { "\($0).\(key)" } ?? key, at: position)
      if seen == nil, scanner.current == 0x7b { seen = Set(changes[first...].map(\.name)) }
      if seen?.insert(name).inserted == false {
        throw JSONProblem(
          "the field \"\(name)\" is named twice", at: position, naming: name)
      }
      try readField(name, at: position, &scanner)
    } while try scanner.hasNext(in: .object)
  }

  private mutating func readID(
    at position: Int, _ scanner: inout JSONScanner
  ) throws(JSONProblem) {
    guard id == nil else { throw JSONProblem("\"_id\" is named twice", at: position) }
    guard scanner.current == 0x22 else { throw scanner.mismatch(expected: "text for \"_id\"") }
    let start = scanner.position
    let text = scanner.string(try scanner.text())
    do {
      id = try TaskID(text)
    } catch {
      throw JSONProblem(error, at: start)
    }
  }

  private mutating func reserve(_ count: Int) {
    changes.reserveCapacity(count)
    positions.reserveCapacity(count)
  }

  private mutating func add(_ change: FieldChange, at position: Int) {
    changes.append(change)
    positions.append(position)
  }

  private mutating func name(_ text: String, at position: Int) throws(JSONProblem) -> FieldName {
    // Quotes, colon, a value of one byte and a comma.
    try spend(text.utf8.count + 5, at: position)
    do {
      return try FieldName(text)
    } catch {
      throw JSONProblem(error, at: position)
    }
  }

  private mutating func spend(_ bytes: Int, at position: Int) throws(JSONProblem) {
    spent += bytes
    guard spent <= Self.spentMax else {
      throw JSONProblem(
        "names and elements of the fields take more than \(Self.spentMax) bytes of JSON",
        at: position, hint: "spread the fields over several commands")
    }
  }
}

extension FieldReader {
  /// Everything that was read, checked.
  func changeSet() throws(JSONProblem) -> ChangeSet {
    if changes.isEmpty { return .empty }
    do {
      return try ChangeSet(changes)
    } catch {
      throw located(error)
    }
  }

  /// A refusal with the place of the first field, in the order of the text, that calls for it.
  private func located(_ error: LedgerError) -> JSONProblem {
    for (change, position) in zip(changes, positions) {
      do {
        _ = try ChangeSet([change])
      } catch {
        return JSONProblem(error, at: position)
      }
    }
    // Each alone is fine: two of them exclude each other.
    guard let index = firstClash else { return JSONProblem(error, at: nil) }
    do {
      _ = try ChangeSet(Array(changes[...index]))
      return JSONProblem(error, at: nil)
    } catch {
      return JSONProblem(error, at: positions[index])
    }
  }

  /// The first field that is, or lies above or below, one before it.
  private var firstClash: Int? {
    var indices: [FieldName: Int] = [:]
    var clash = Int.max
    for (index, change) in changes.enumerated() {
      if indices[change.name] != nil {
        clash = min(clash, index)
      } else {
        indices[change.name] = index
      }
    }
    for (index, change) in changes.enumerated() where change.name.isDotted {
      for prefix in change.name.prefixes {
        if let other = indices[prefix] { clash = min(clash, max(index, other)) }
      }
    }
    return clash == .max ? nil : clash
  }
}
