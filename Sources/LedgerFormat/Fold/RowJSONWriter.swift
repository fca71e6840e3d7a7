import LedgerCore

/// Writes rows as canonical JSON, straight from their bytes.
struct RowJSONWriter {
  private let table: FieldTable

  init(_ table: FieldTable) { self.table = table }

  func append(_ row: UnsafeRawBufferPointer, to json: inout [UInt8]) {
    var reader = RowReader(row)
    let (stored, isPacked) = reader.key()
    var path = OpenPath()
    var implied = 0
    json.append(0x7b)
    for _ in 0..<reader.varint() {
      let rank = Int(reader.varint())
      while implied < table.shownAlways.count, table.shownAlways[implied] < rank {
        appendImplied(table.shownAlways[implied], stored, isPacked, &path, &json)
        implied += 1
      }
      if implied < table.shownAlways.count, table.shownAlways[implied] == rank { implied += 1 }
      path.open(table.fields[rank], &json)
      appendValue(&reader, to: &json)
    }
    while implied < table.shownAlways.count {
      appendImplied(table.shownAlways[implied], stored, isPacked, &path, &json)
      implied += 1
    }
    path.close(to: 0, &json)
    json.append(0x7d)
  }

  /// `_id`, or the default of a field that is not set.
  private func appendImplied(
    _ rank: Int, _ stored: UnsafeRawBufferPointer, _ isPacked: Bool, _ path: inout OpenPath,
    _ json: inout [UInt8]
  ) {
    path.open(table.fields[rank], &json)
    if rank != table.idRank {
      if let value = table.fields[rank].defaultValue { CanonicalJSON.append(value, to: &json) }
    } else if isPacked, let uuid = PackedUUID(bytes: stored) {
      json.append(0x22)
      uuid.appendText(to: &json)
      json.append(0x22)
    } else {
      appendText(stored, to: &json)
    }
  }

  private func appendText(_ text: UnsafeRawBufferPointer, to json: inout [UInt8]) {
    json.append(0x22)
    text.withMemoryRebound(to: UInt8.self) { CanonicalJSON.appendEscaped($0, to: &json) }
    json.append(0x22)
  }

  private func appendValue(_ reader: inout RowReader, to json: inout [UInt8]) {
    switch reader.byte() {
    case ValueTag.no: json.append(contentsOf: [0x66, 0x61, 0x6c, 0x73, 0x65])
    case ValueTag.yes: json.append(contentsOf: [0x74, 0x72, 0x75, 0x65])
    case ValueTag.int: CanonicalJSON.append(reader.zigzag(), to: &json)
    case ValueTag.double: CanonicalJSON.append(reader.double(), to: &json)
    case ValueTag.text: appendText(reader.text(), to: &json)
    case ValueTag.date:
      json.append(0x22)
      CivilDay(number: reader.zigzag()).append(to: &json)
      json.append(0x22)
    case ValueTag.array:
      json.append(0x5b)
      for index in 0..<reader.varint() {
        if index > 0 { json.append(0x2c) }
        appendValue(&reader, to: &json)
      }
      json.append(0x5d)
    default: break
    }
  }
}

/// The nested objects that are open while fields are written in order.
private struct OpenPath {
  private var segments: [[UInt8]] = []
  private var hasMembers = false

  /// Closes and opens objects so that the field's key can stand next, and writes the key.
  mutating func open(_ field: FieldTable.Field, _ json: inout [UInt8]) {
    let parents = field.segments.count - 1
    var common = 0
    while common < segments.count, common < parents,
      segments[common] == field.segments[common]
    {
      common += 1
    }
    close(to: common, &json)
    if hasMembers { json.append(0x2c) }
    for index in common..<parents {
      json.append(contentsOf: field.keys[index])
      json.append(0x7b)
      segments.append(field.segments[index])
    }
    json.append(contentsOf: field.keys[parents])
    hasMembers = true
  }

  mutating func close(to depth: Int, _ json: inout [UInt8]) {
    while segments.count > depth {
      segments.removeLast()
      json.append(0x7d)
    }
  }
}
