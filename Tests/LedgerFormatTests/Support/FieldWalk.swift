import LedgerCore

@testable import LedgerFormat

/// Reads bytes field by field and notes where each stands: the rows of the page's tables.
struct FieldWalk {
  /// Offset, number of bytes, name, value.
  private(set) var rows: [[String]] = []
  private var reader: ByteReader

  init(_ bytes: [UInt8]) { reader = ByteReader(bytes) }

  mutating func field(_ name: String, _ read: (inout ByteReader) throws -> some Any) throws {
    let start = reader.position
    let value = try read(&reader)
    rows.append(["\(start)", "\(reader.position - start)", name, "\(value)"])
  }

  mutating func header() throws {
    try field("magic") { String(decoding: try $0.take(8), as: UTF8.self) }
    try field("version") { try $0.u16() }
    try field("oldest reader") { try $0.u16() }
    try field("flags") { try $0.u32() }
    try field("ledger") { try $0.replica() }
  }

  mutating func number(_ name: String) throws { try field(name) { try $0.varint() } }
  mutating func u64(_ name: String) throws { try field(name) { try $0.u64() } }
  mutating func u32(_ name: String) throws { try field(name) { try $0.u32() } }
  mutating func byte(_ name: String) throws { try field(name) { try $0.u8() } }
  mutating func text(_ name: String) throws { try field(name) { try $0.text() } }
  mutating func checksum(_ name: String) throws { try field(name) { hex(try $0.u64()) } }

  mutating func digest(_ name: String) throws {
    try field(name) { reader in
      let digest = try reader.digest()
      return digest == .zero ? "zeros" : digest.hex
    }
  }

  /// A time as a zigzag difference.
  mutating func time(_ name: String, after base: Int64) throws {
    try field(name) { try $0.time(relativeTo: base) }
  }

  mutating func key(_ name: String) throws { try field(name) { try TaskKey(&$0).id } }

  mutating func value(_ name: String) throws {
    try field(name) { try $0.value()?.description ?? "unset" }
  }

  mutating func bytes(_ name: String, _ count: Int) throws {
    try field(name) { String(decoding: try $0.take(count), as: UTF8.self) }
  }

  /// A compressed part that ends at a place.
  mutating func zstd(_ name: String, to end: UInt64) throws {
    try field(name) { reader in
      _ = try reader.take(Int(end) - reader.position)
      return "compressed"
    }
  }

  /// Several small numbers as one field.
  mutating func numbers(_ name: String, _ count: Int) throws {
    try field(name) { reader in
      var numbers: [String] = []
      for _ in 0..<count { numbers.append("\(try reader.varint())") }
      return numbers.joined(separator: " ")
    }
  }

  func expectEnd() throws { try reader.expectEnd() }
}
