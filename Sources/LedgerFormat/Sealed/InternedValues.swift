import LedgerCore

/// The values that a run holds once, by their numbers.
///
/// They are decoded when they are asked for: who looks for one task in many runs needs few of them, who reads a run needs all.
package final class InternedValues: Sendable {
  private enum Content: Sendable {
    /// Bytes that they lie in, and where each starts.
    case encoded([UInt8], [UInt32])
    case decoded([Value])
  }

  package let count: Int
  private let content: Guarded<Content>

  package init(_ values: [Value]) {
    count = values.count
    content = Guarded(.decoded(values))
  }

  /// Passes over a count and that many values. All bytes of the reader are kept: a copy would take as much memory again.
  init(_ reader: inout ByteReader) throws(LedgerError) {
    count = try reader.count()
    var starts: [UInt32] = []
    starts.reserveCapacity(count)
    for _ in 0..<count {
      guard let place = UInt32(exactly: reader.position) else {
        throw reader.fail("the interned values are too long")
      }
      starts.append(place)
      if !reader.skipShortText() { try reader.skipValue() }
    }
    content = Guarded(.encoded(reader.bytes, starts))
  }

  /// One of them; that it is there only once is not checked.
  ///
  /// - Precondition: `number < count`.
  package func value(_ number: Int) throws(LedgerError) -> Value {
    try content.withLock { (content) throws(LedgerError) in
      switch content {
      case .decoded(let values): return values[number]
      case .encoded(let bytes, let starts):
        var reader = ByteReader(bytes, Int(starts[number])..<bytes.count)
        return try reader.internedValue()
      }
    }
  }

  /// All of them, in order of their numbers.
  ///
  /// - Throws: `damaged` where a value is none, or there twice: no few bytes ask for much memory.
  package func all() throws(LedgerError) -> [Value] {
    try content.withLock { (content) throws(LedgerError) in
      switch content {
      case .decoded(let values): return values
      case .encoded(let bytes, let starts):
        let values = try Self.decoded(bytes, from: Int(starts.first ?? 0), count: count)
        content = .decoded(values)
        return values
      }
    }
  }

  private static func decoded(
    _ bytes: [UInt8], from start: Int, count: Int
  ) throws(LedgerError) -> [Value] {
    var reader = ByteReader(bytes, start..<bytes.count)
    var values: [Value] = []
    values.reserveCapacity(count)
    var known = Set<Value>(minimumCapacity: count)
    for _ in 0..<count {
      let value = try reader.internedValue()
      guard known.insert(value).inserted else { throw reader.fail("a value is there twice") }
      values.append(value)
    }
    return values
  }
}

extension ByteReader {
  fileprivate mutating func internedValue() throws(LedgerError) -> Value {
    guard let value = try value() else { throw fail("an interned value is unset") }
    return value
  }
}
