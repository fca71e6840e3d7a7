import LedgerCore

/// The shapes and interned values of a run, laid out for the fold: field numbers are ranks of the common table.
final class ShapePlan {
  struct Part {
    var rank: UInt32
    var tag: UInt8
  }

  /// The type of an interned value that must be a text.
  static let internedText: UInt8 = 255

  let shapeCount: Int
  let valueCount: Int
  private let kinds: UnsafeMutablePointer<EventKind>
  private let starts: UnsafeMutablePointer<Int32>
  private let parts: UnsafeMutablePointer<Part>
  private let values: UnsafeMutablePointer<ShapeValues>
  private let valueStarts: UnsafeMutablePointer<Int32>
  private let valueBytes: UnsafeMutablePointer<UInt8>

  init(_ tables: RunTables, values: [Value], fields: FieldTable) {
    shapeCount = tables.shapes.count
    valueCount = values.count
    kinds = .allocate(capacity: shapeCount + 1)
    starts = .allocate(capacity: shapeCount + 1)
    parts = .allocate(capacity: tables.shapes.reduce(1) { $0 + $1.parts.count })
    self.values = .allocate(capacity: shapeCount + 1)
    var next = 0
    starts[0] = 0
    for (number, shape) in tables.shapes.enumerated() {
      (kinds + number).initialize(to: shape.kind)
      (self.values + number).initialize(to: ShapeValues(shape))
      for part in shape.parts {
        let name = tables.fields[Int(part.field)]
        let isBody = part.tag == ValueTag.interned && name == .body
        (parts + next).initialize(
          to: Part(
            rank: UInt32(fields.rank(of: name) ?? 0), tag: isBody ? Self.internedText : part.tag))
        next += 1
      }
      starts[number + 1] = Int32(next)
    }
    var bytes: [UInt8] = []
    valueStarts = .allocate(capacity: valueCount + 1)
    valueStarts[0] = 0
    for (number, value) in values.enumerated() {
      bytes.append(value: value)
      valueStarts[number + 1] = Int32(bytes.count)
    }
    valueBytes = .allocate(capacity: bytes.count + 1)
    bytes.withUnsafeBufferPointer { source in
      if let start = source.baseAddress { valueBytes.update(from: start, count: source.count) }
    }
  }

  deinit {
    kinds.deallocate()
    starts.deallocate()
    parts.deallocate()
    values.deallocate()
    valueStarts.deallocate()
    valueBytes.deallocate()
  }

  /// - Precondition: `shape < shapeCount`, as the cursor checked.
  @inline(__always)
  func kind(_ shape: Int) -> EventKind { kinds[shape] }

  /// How many values the events of a shape have.
  @inline(__always)
  func values(_ shape: Int) -> ShapeValues { values[shape] }

  @inline(__always)
  func parts(_ shape: Int) -> UnsafeBufferPointer<Part> {
    let start = Int(starts[shape])
    return UnsafeBufferPointer(start: parts + start, count: Int(starts[shape + 1]) - start)
  }

  /// An interned value with its tag; nil for a number beyond the table.
  @inline(__always)
  func value(_ number: UInt64) -> UnsafeBufferPointer<UInt8>? {
    guard number < UInt64(valueCount) else { return nil }
    let start = Int(valueStarts[Int(number)])
    return UnsafeBufferPointer(
      start: valueBytes + start, count: Int(valueStarts[Int(number) + 1]) - start)
  }
}

/// The streams of a block that hold values.
struct ValueCursors {
  var integers, doubles, interned, dates, lengths, texts, arrays: StreamCursor
  /// Whether an event named a value that is not there, or a day that no date has.
  private(set) var namedNoValue = false

  init(
    integers: StreamCursor, doubles: StreamCursor, interned: StreamCursor, dates: StreamCursor,
    lengths: StreamCursor, texts: StreamCursor, arrays: StreamCursor
  ) {
    self.integers = integers
    self.doubles = doubles
    self.interned = interned
    self.dates = dates
    self.lengths = lengths
    self.texts = texts
    self.arrays = arrays
  }

  init(_ empty: StreamCursor) {
    self.init(
      integers: empty, doubles: empty, interned: empty, dates: empty, lengths: empty, texts: empty,
      arrays: empty)
  }

  var overran: Bool {
    namedNoValue || integers.overran || doubles.overran || interned.overran || dates.overran
      || lengths.overran || texts.overran || arrays.overran
  }

  var areAtEnd: Bool {
    integers.remaining == 0 && doubles.remaining == 0 && interned.remaining == 0
      && dates.remaining == 0 && lengths.remaining == 0 && texts.remaining == 0
      && arrays.remaining == 0
  }

  /// Passes over values of which nobody looks at any.
  mutating func pass(_ counts: ShapeValues) {
    integers.skipVarints(counts.integers)
    _ = doubles.take(8 &* UInt64(counts.doubles))
    interned.skipVarints(counts.interned)
    dates.skipVarints(counts.dates)
    for _ in 0..<counts.texts { _ = texts.take(lengths.varint()) }
    for _ in 0..<counts.arrays { _ = arrays.arrayBytes() }
  }

  /// The tag and bytes of the next value; an interned value comes with its own tag.
  @inline(__always)
  mutating func next(_ tag: UInt8, _ plan: ShapePlan) -> (tag: UInt8, UnsafeBufferPointer<UInt8>) {
    switch tag {
    case ValueTag.text: return (tag, texts.take(lengths.varint()))
    case ValueTag.int: return (tag, integers.varintBytes())
    case ValueTag.interned, ShapePlan.internedText:
      guard let bytes = plan.value(interned.varint()), bytes.count > 0,
        tag == ValueTag.interned || bytes[0] == ValueTag.text
      else {
        namedNoValue = true
        return (ValueTag.unset, texts.take(0))
      }
      return (ValueTag.interned, bytes)
    case ValueTag.date:
      let bytes = dates.varintBytes()
      if !Self.isDay(bytes) { namedNoValue = true }
      return (tag, bytes)
    case ValueTag.double: return (tag, doubles.take(8))
    case ValueTag.array: return (tag, arrays.arrayBytes())
    default: return (tag, texts.take(0))
    }
  }

  /// Whether a number is that of a day in the years 0000 to 9999: four bytes hold all of these.
  @inline(__always)
  private static func isDay(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard bytes.count <= 4 else { return false }
    var value: UInt64 = 0
    var shift: UInt64 = 0
    for byte in bytes {
      value |= UInt64(byte & 0x7f) << shift
      shift += 7
    }
    return DateText.has(Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1))
  }
}
