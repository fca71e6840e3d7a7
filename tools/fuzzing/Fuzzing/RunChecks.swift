import LedgerCore
import LedgerFormat

/// Sealed segments and snapshots, put together from parts so that lengths and checksums fit.
enum RunChecks {
  /// The parts of an input: each has its length before it, in two bytes; what is cut short ends early.
  static func parts(_ bytes: [UInt8]) -> [[UInt8]] {
    var parts: [[UInt8]] = []
    var rest = bytes[...]
    while rest.count >= 2 {
      let length = Int(rest[rest.startIndex]) | Int(rest[rest.startIndex + 1]) << 8
      rest = rest.dropFirst(2)
      parts.append(Array(rest.prefix(length)))
      rest = rest.dropFirst(length)
    }
    return parts
  }

  static func joined(_ parts: [[UInt8]]) -> [UInt8] {
    parts.flatMap { part in [UInt8(part.count & 255), UInt8(part.count >> 8 & 255)] + part }
  }

  /// Header, footer up to its sections, tables, clocks, last key; then for each block first key, counts, content.
  static func run(_ bytes: [UInt8], _ kind: FileHeader.Kind) throws {
    let parts = parts(bytes)
    guard parts.count >= 8, parts[0].count == FileHeader.byteCount, parts[1].count < 3800 else {
      return
    }
    let zstd = try Zstd()
    var file = parts[0]
    var index: [UInt8] = []
    let blockCount = (parts.count - 5) / 3
    index.append(varint: UInt64(blockCount))
    for block in 0..<blockCount {
      let (key, counts, content) = (
        parts[5 + 3 * block], parts[6 + 3 * block], parts[7 + 3 * block]
      )
      let stored = try zstd.compress(content, level: 1)
      index += key
      index.append(varint: UInt64(stored.count))
      index.append(varint: UInt64(content.count))
      index += counts.dropLast()
      index.append(u64: checksum(of: stored, in: 0..<stored.count))
      index += counts.suffix(1)
      file += stored
    }
    var footer = parts[1]
    for section in [parts[2], parts[3], index + parts[4]] {
      let stored = try zstd.compress(section, level: 1)
      footer.append(varint: UInt64(file.count))
      footer.append(varint: UInt64(stored.count))
      footer.append(varint: UInt64(section.count))
      footer.append(u64: checksum(of: stored, in: 0..<stored.count))
      file += stored
    }
    try read(closed(file, footer), kind)
  }

  /// The footer, then what stands between it and the header; the header comes first.
  static func footer(_ bytes: [UInt8]) throws {
    let parts = parts(bytes)
    guard parts.count >= 3, parts[0].count == FileHeader.byteCount else { return }
    let file = closed(parts[0] + parts[2...].joined(), parts[1])
    for kind in [FileHeader.Kind.sealed, .snapshot, .baseline, .salvaged]
    where parts[0].starts(with: kind.rawValue.utf8) { try read(file, kind) }
  }

  /// The file with its end: footer, length, checksum, magic.
  private static func closed(_ file: [UInt8], _ footer: [UInt8]) -> [UInt8] {
    var end = footer
    end.append(u32: UInt32(footer.count))
    let covered = file.prefix(FileHeader.byteCount) + end
    end.append(u64: checksum(of: covered))
    return file + end + [0x54, 0x53, 0x46, 0x31]
  }

  private static func read(_ bytes: [UInt8], _ kind: FileHeader.Kind) throws {
    let zstd = try Zstd()
    let run = try FileChecks.reading { () throws(LedgerError) in
      try SealedRun(MemorySource(bytes), zstd: zstd, kind: kind)
    }
    guard let run else { return }
    var events: [Event] = []
    let all: Void? = try FileChecks.reading { () throws(LedgerError) in
      try run.forEachEvent(zstd: zstd) { (event) throws(LedgerError) in events.append(event) }
    }
    let folded = try FileChecks.reading { () throws(LedgerError) in
      try kind == .snapshot ? RunMerge.fold([], onto: run) : RunMerge.fold([run])
    }
    if let folded {
      // It can be shown, whatever it says.
      for place in 0..<folded.count { _ = folded.item(at: place).canonicalJSON }
      _ = folded.digest()
    }
    guard all != nil, let task = events.first?.task else { return }
    let found = try FileChecks.reading { () throws(LedgerError) in
      try run.events(of: task, zstd: zstd)
    }
    try checkFilter(run, bytes, kind, task)
    guard found == events.filter({ $0.task == task }) else {
      throw FuzzFinding("a task is found with other events than are read in passing")
    }
  }

  /// A filter that is found to be right hides no task.
  private static func checkFilter(
    _ run: SealedRun, _ bytes: [UInt8], _ kind: FileHeader.Kind, _ task: TaskID
  ) throws {
    let source = MemorySource(bytes)
    let mayHold = try FileChecks.reading { () throws(LedgerError) in
      try RunEnds(source, kind: kind).mayHold(task, in: source)
    }
    let isRight = try FileChecks.reading { () throws(LedgerError) in
      try run.hasRightFilter(zstd: try Zstd())
    }
    if isRight == true, (mayHold ?? nil) == false {
      throw FuzzFinding("a filter that is right hides a task")
    }
  }
}
