import LedgerCore
import LedgerFormat
import LedgerStorage
import TaskLedger

/// Honest inputs to start from: files of a small ledger taken apart, and texts that use every form.
public enum Seeds {
  /// The inputs of a target.
  public static func of(_ target: FuzzTarget) throws -> [[UInt8]] {
    let files = try files()
    func named(_ part: String) -> [[UInt8]] {
      files.filter { $0.key.contains(part) }.sorted { $0.key < $1.key }.map(\.value)
    }
    switch target {
    case .frame: return try named(".active").flatMap(frames)
    case .sealed: return try named(".sealed").map { try parts(of: $0, .sealed) }
    case .snapshot: return try named(".snapshot").map { try parts(of: $0, .snapshot) }
    case .footer: return (named(".sealed") + named(".snapshot")).map(footerParts)
    case .manifest: return named("MANIFEST-").map { $0.dropLast(8) }
    case .current: return named("CURRENT").map { $0.dropLast(8) }
    case .lock: return [named("LOCK").first.map { $0 + [UInt8](repeating: 0, count: 48) } ?? []]
    case .checkpoint: return named("checkpoints/").map { $0.dropLast(8) }
    case .apply, .query, .pattern, .words, .command:
      return SeedTexts.of(target).map { Array($0.utf8) }
    }
  }

  private static func files() throws -> [String: [UInt8]] {
    let memory = MemoryDirectory(path: "seeds")
    var configuration = LedgerConfiguration()
    configuration.sealEvents = 6
    configuration.extensionBytes = 512
    configuration.sealsInBackground = false
    configuration.clock = { LedgerTime(unchecked: 1_796_040_000_000) }
    let ledger = try Ledger.create(in: memory, author: "ann", configuration: configuration)
    try ledger.upsert(TaskItem(id: "milk", body: "Get milk"))
    try ledger.transaction(author: "bob", message: "for the cake") {
      try $0.upsert(TaskItem(id: "018bcfe5-78bf-70e6-a4c1-23126ffda722", body: "Eggs"))
      try $0.toggle("milk")
      try $0.update("milk") {
        $0["due"] = "2026-12-24"
        $0["n"] = .array([.int(-1), .double(1.5), .array([.text("x")]), .bool(true)])
        $0["tags.home"] = true
      }
    }
    try ledger.delete("milk")
    try ledger.restore("milk")
    try ledger.evict("018bcfe5-78bf-70e6-a4c1-23126ffda722")
    try ledger.update("milk") { $0["due"] = nil }
    _ = try ledger.snapshot()
    try ledger.upsert(TaskItem(id: "bread", body: "Bread"))
    _ = try ledger.undo()
    let position = VerifyPosition(
      Manifest(
        ledger: ReplicaID(high: 1, low: 2), number: 1, replica: ReplicaID(high: 1, low: 2),
        segments: [], records: []),
      segments: 0, began: LedgerTime(unchecked: 1_796_040_000_000), isDone: true)
    var files = memory.contents()
    files["checkpoints/position"] = position.encoded
    files["checkpoints/consumer"] =
      CheckpointFile(
        ledger: position.ledger, name: "mail", digest: LogDigest(value: .zero, sequence: 7),
        stored: position.began
      ).encoded
    files["checkpoints/checked"] =
      CheckedSegments(
        ledger: position.ledger,
        entries: [.init(file: "1.sealed", checksum: 5, time: position.began)]
      ).encoded
    return files
  }

  /// The frames of an active segment, each once as it is and once to be compressed by the check.
  private static func frames(_ file: [UInt8]) throws -> [[UInt8]] {
    let header = try ActiveHeader(file)
    let zstd = try Zstd()
    var inputs: [[UInt8]] = []
    var place = ActiveHeader.byteCount
    while let frame = try FrameHeader(in: file, at: place, segment: header.segment) {
      let start = place + FrameHeader.byteCount
      let payload = Array(file[start..<start + Int(frame.payloadLength)])
      inputs.append([0] + file[place..<start] + payload)
      let raw =
        frame.isCompressed
        ? try zstd.decompressFrame(payload, count: Int(frame.rawLength)) : payload
      inputs.append([1] + file[place..<start] + raw)
      place += frame.byteCount
    }
    return inputs
  }

  private static func varints(_ section: RunFooter.Section) -> Int {
    var bytes: [UInt8] = []
    bytes.append(varint: section.offset)
    bytes.append(varint: section.storedLength)
    bytes.append(varint: section.rawLength)
    return bytes.count + 8
  }

  private static func footerBody(_ file: [UInt8]) -> ArraySlice<UInt8> {
    let end = file.count - RunFooter.tailByteCount
    let length = Int(file[end]) | Int(file[end + 1]) << 8
    return file[end - length..<end]
  }

  private static func parts(of file: [UInt8], _ kind: FileHeader.Kind) throws -> [UInt8] {
    let zstd = try Zstd()
    let run = try SealedRun(MemorySource(file), zstd: zstd, kind: kind)
    let footer = run.footer
    func raw(_ section: RunFooter.Section) throws -> [UInt8] {
      let start = Int(section.offset)
      return try zstd.decompress(
        Array(file[start..<start + Int(section.storedLength)]), count: Int(section.rawLength))
    }
    func key(_ key: TaskKey) -> [UInt8] {
      var bytes: [UInt8] = []
      key.append(to: &bytes)
      return bytes
    }
    let body = footerBody(file)
    let sections = [footer.tables, footer.clocks, footer.index].map(varints).reduce(0, +)
    var parts = [
      Array(file[..<FileHeader.byteCount]), Array(body.dropLast(sections)),
      try raw(footer.tables), try raw(footer.clocks), run.index.lastKey.map(key) ?? [],
    ]
    for (number, entry) in run.index.entries.enumerated() {
      var counts: [UInt8] = []
      counts.append(varint: UInt64(entry.eventCount))
      counts.append(varint: UInt64(entry.taskCount))
      counts.append(entry.continues ? 1 : 0)
      parts += [key(entry.firstKey), counts, try run.block(number, zstd: zstd)]
    }
    return RunChecks.joined(parts)
  }

  private static func footerParts(_ file: [UInt8]) -> [UInt8] {
    let body = footerBody(file)
    return RunChecks.joined([
      Array(file[..<FileHeader.byteCount]), Array(body),
      Array(file[FileHeader.byteCount..<body.startIndex]),
    ])
  }
}
