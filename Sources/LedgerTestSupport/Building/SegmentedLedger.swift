import LedgerFormat
import LedgerStorage
import TaskLedger

/// A ledger of very many small sealed segments, put together file by file: made by a writer it would take as many rotations,
/// each of which writes all names anew.
package struct SegmentedLedger {
  /// Its events, one to a segment.
  package private(set) var events: [Event] = []
  private var entries: [SegmentEntry] = []
  private var digest = LogDigest.empty
  private var scratch: [UInt8] = []
  private let zstd: Zstd
  private let directory: any LedgerDirectory

  private static let ledger = ReplicaID(high: 1, low: 1)
  private static let replica = ReplicaID(high: 2, low: 2)

  /// Makes a ledger in an empty folder: each segment makes a task or toggles one that is there.
  ///
  /// - Parameters:
  ///   - segments: how many segments are sealed; an empty active one follows.
  ///   - tasks: how many tasks there are.
  package init(segments: Int, tasks: Int, in directory: any LedgerDirectory) throws {
    self.directory = directory
    zstd = try Zstd()
    try directory.makeFolder(LedgerNames.segments)
    for number in 1...segments {
      try seal(try Self.event(UInt64(number), task: (number - 1) % tasks, isNew: number <= tasks))
    }
    try open()
  }

  private static func event(_ number: UInt64, task: Int, isNew: Bool) throws -> Event {
    let stamp = Stamp(
      time: LedgerTime(unchecked: 1_700_000_000_000 + Int64(number)), replica: replica,
      count: number)
    let changes: [FieldChange] =
      isNew
      ? [FieldChange(.body, .text("Task \(task)")), FieldChange(.isCompleted, .bool(false))]
      : [FieldChange(.isCompleted, .bool(number % 2 == 0))]
    return Event(
      sequence: number, stamp: stamp, kind: isNew ? .upsert : .toggle,
      task: try TaskID("task-\(task)"),
      changes: try ChangeSet(changes).changes, author: "tester", transaction: number,
      endsTransaction: true,
      recorded: stamp.time)
  }

  private mutating func seal(_ event: Event) throws {
    let before = digest.value
    digest.append(event, scratch: &scratch)
    let bytes = try SortedRun.bytes(
      of: [event], ledger: Self.ledger, digests: (before, digest.value), level: 1, zstd: zstd)
    // The checksum of the footer stands before its magic.
    var tail = ByteReader(bytes, bytes.count - 12..<bytes.count - 4)
    let file = LedgerNames.sealedSegment(
      first: event.sequence, last: event.sequence, unique: event.sequence)
    try write(bytes, to: LedgerNames.inSegments(file))
    entries.append(
      SegmentEntry(
        kind: .sealed, file: file, segment: 0, firstSequence: event.sequence, eventCount: 1,
        end: UInt64(bytes.count), checksum: try tail.u64(), digestBefore: before,
        digestAfter: digest.value, ownCount: event.stamp.count, newest: event.stamp))
    events.append(event)
  }

  /// Makes the active segment, the manifest and CURRENT.
  private mutating func open() throws {
    let header = ActiveHeader(
      ledger: Self.ledger, segment: 7, firstSequence: digest.sequence + 1, replica: Self.replica,
      digestBefore: digest.value, countBefore: digest.sequence)
    let file = LedgerNames.activeSegment(first: header.firstSequence, segment: header.segment)
    let zeros = [UInt8](repeating: 0, count: 4096 - ActiveHeader.byteCount)
    try write(header.encoded + zeros, to: LedgerNames.inSegments(file))
    entries.append(
      SegmentEntry(
        kind: .active, file: file, segment: header.segment, firstSequence: header.firstSequence,
        eventCount: 0, end: UInt64(ActiveHeader.byteCount), checksum: checksum(of: header.encoded),
        digestBefore: digest.value, digestAfter: digest.value, ownCount: digest.sequence,
        newest: nil))
    let manifest = Manifest(
      ledger: Self.ledger, number: 1, replica: Self.replica, segments: entries, records: [])
    let bytes = manifest.encoded
    try write(bytes, to: LedgerNames.manifest(1))
    let current = CurrentFile(ledger: Self.ledger, manifestNumber: 1, manifestBytes: bytes)
    try write(current.encoded, to: LedgerNames.current)
  }

  private func write(_ bytes: [UInt8], to name: String) throws {
    let file = try directory.open(name, .create)
    defer { file.close() }
    try file.write(bytes, at: 0)
  }
}
