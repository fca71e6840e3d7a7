import LedgerCore

@testable import LedgerFormat

/// The examples of the format page, read by the words of the page: what its tables must say.
enum FormatExample {
  static func rowsOfCurrent(_ bytes: [UInt8]) throws -> [[String]] {
    var walk = FieldWalk(bytes)
    try walk.header()
    try walk.u64("number of the manifest")
    try walk.u64("length of the manifest")
    try walk.checksum("checksum of the manifest")
    try walk.checksum("checksum")
    try walk.expectEnd()
    return walk.rows
  }

  static func rowsOfManifest(_ bytes: [UInt8]) throws -> [[String]] {
    var walk = FieldWalk(bytes)
    try walk.header()
    try walk.u64("number")
    try walk.field("own") { try $0.replica() }
    try walk.number("segments")
    try walk.byte("kind")
    try walk.text("file")
    try walk.checksum("id")
    try walk.number("first")
    try walk.number("events")
    try walk.number("end")
    try walk.checksum("checksum of its header")
    try walk.digest("before")
    try walk.digest("after")
    try walk.number("ownCount")
    try walk.byte("hasNewest")
    try walk.number("records")
    try walk.text("kind")
    try walk.number("follows")
    try walk.time("time", after: 0)
    try walk.number("details")
    try walk.text("name")
    try walk.text("value")
    try walk.checksum("checksum")
    try walk.expectEnd()
    return walk.rows
  }

  static func rowsOfCheckpoint(_ bytes: [UInt8]) throws -> [[String]] {
    var walk = FieldWalk(bytes)
    try walk.header()
    try walk.u64("sequence")
    try walk.digest("log digest")
    try walk.field("stored") { try LedgerTime(milliseconds: try $0.i64()) }
    try walk.text("name")
    try walk.checksum("checksum")
    try walk.expectEnd()
    return walk.rows
  }

  static func rowsOfActive(_ bytes: [UInt8]) throws -> [[String]] {
    var walk = FieldWalk(bytes)
    try walk.header()
    try walk.checksum("id")
    try walk.u64("first")
    try walk.field("replica") { try $0.replica() }
    try walk.digest("digest")
    try walk.u64("count")
    try walk.checksum("checksum")
    try walk.bytes("frame: magic", 4)
    try walk.u32("length as stored")
    try walk.checksum("id")
    try walk.u64("first")
    try walk.u32("events")
    try walk.u32("length before compression")
    try walk.checksum("seed")
    try walk.u64("durable position")
    try walk.u64("durable length")
    try walk.field("newest time") { try LedgerTime(milliseconds: try $0.i64()) }
    try walk.u64("count")
    try walk.u32("flags")
    try walk.field("check") { hex(UInt64(try $0.u32())).suffix(8) }
    try walk.checksum("checksum")
    try addPayload(&walk)
    try walk.expectEnd()
    return walk.rows
  }

  private static func addPayload(_ walk: inout FieldWalk) throws {
    let recorded = try LedgerTime("2026-11-30T12:00:00.123Z").milliseconds
    try walk.time("payload: recorded", after: 0)
    try walk.byte("first event: kind")
    try walk.byte("flags")
    try walk.time("time", after: recorded)
    try walk.text("author")
    try walk.key("task")
    try walk.number("changes")
    try walk.text("field")
    try walk.value("value")
    try walk.byte("second event: kind")
    try walk.byte("flags")
    try walk.time("time", after: recorded)
    try walk.key("task")
    try walk.number("changes")
    try walk.text("field")
    try walk.value("value")
  }

  static func rowsOfBlock(_ bytes: [UInt8]) throws -> [[String]] {
    var walk = FieldWalk(bytes)
    try walk.numbers("lengths", 17)
    try walk.number("keys: head")
    try walk.byte("shared")
    try walk.bytes("bytes", 4)
    try walk.number("counts")
    try walk.numbers("shapes", 2)
    try walk.field("sequences: first") { try $0.zigzag() }
    try walk.number("second")
    try walk.numbers("times", 2)
    try walk.numbers("contexts", 2)
    try walk.number("details")
    try walk.number("lengths")
    try walk.bytes("texts", 8)
    try walk.byte("moments: first")
    try walk.byte("second")
    try walk.expectEnd()
    return walk.rows
  }

  static func rowsOfClocks(_ bytes: [UInt8]) throws -> [[String]] {
    var walk = FieldWalk(bytes)
    try walk.number("clocks")
    try walk.byte("step")
    try walk.number("first")
    try walk.number("anchors")
    try walk.time("time", after: 0)
    try walk.field("second") { try $0.zigzag() }
    try walk.expectEnd()
    return walk.rows
  }

  static func rowsOfChecked(_ bytes: [UInt8]) throws -> [[String]] {
    var walk = FieldWalk(bytes)
    try walk.header()
    try walk.number("segments")
    try walk.text("file")
    try walk.checksum("checksum")
    try walk.time("time", after: 0)
    try walk.checksum("checksum")
    try walk.expectEnd()
    return walk.rows
  }

  /// - Parameter footer: what the file's own footer says, for where its parts end.
  static func rowsOfSnapshot(_ bytes: [UInt8], _ footer: RunFooter) throws -> [[String]] {
    var walk = FieldWalk(bytes)
    try walk.header()
    try walk.zstd("block", to: footer.tables.offset)
    try walk.zstd("tables", to: footer.clocks.offset)
    try walk.zstd("clocks", to: footer.index.offset)
    try walk.zstd("index", to: footer.index.offset + footer.index.storedLength)
    try walk.field("footer: ledger") { try $0.replica() }
    try walk.number("first")
    try walk.number("events")
    try walk.number("tasks")
    try walk.number("horizon")
    try walk.number("tasks that exist")
    try walk.digest("state digest")
    try walk.number("rules")
    try walk.field("oldest") { try $0.stamp().time }
    try walk.field("newest") { try $0.stamp().time }
    try walk.byte("ascends")
    try walk.digest("before")
    try walk.digest("after")
    for name in ["tables", "clocks", "index"] {
      try walk.numbers("\(name): offset, lengths", 3)
      try walk.checksum("checksum")
    }
    try walk.u32("length")
    try walk.checksum("checksum")
    try walk.bytes("magic", 4)
    try walk.expectEnd()
    return walk.rows
  }
}
