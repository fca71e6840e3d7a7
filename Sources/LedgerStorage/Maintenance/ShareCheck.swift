import LedgerCore
import LedgerFormat

/// Reads a share of the sealed segments each time, so that all are read again and again without a long pause.
///
/// Invariants:
/// - those come first that were never read, then those that were read longest ago;
/// - what was read and found sound is kept in `checkpoints`, segment by segment: an interrupted run goes on from there;
/// - a segment that is damaged stays unread, so that each run finds it again.
///
/// Only one process at a time runs it: whoever does holds the lock of the folder `checkpoints`.
package struct ShareCheck {
  /// What is to be read, or was.
  package struct Share: Sendable {
    /// The segments of this share, in the order in which they are read.
    package var entries: [SegmentEntry] = []
    /// How many sealed segments there are.
    package var segments = 0
    /// Of these, what was read and found sound.
    package var soundSegments = 0
    package var soundBytes: UInt64 = 0
    /// What is wrong with the segment that was read last.
    package var damage: LedgerError?
    /// Why it is not kept what was read, where something else stands in the place of that.
    package var notKept: LedgerError?

    /// The bytes of the segments of this share.
    package var bytes: UInt64 { entries.reduce(0) { $0 &+ $1.end } }
  }

  private let directory: any LedgerDirectory
  private let pool: ZstdPool
  private let clock: LedgerClock

  package init(_ directory: any LedgerDirectory, pool: ZstdPool, clock: @escaping LedgerClock) {
    self.directory = directory
    self.pool = pool
    self.clock = clock
  }

  /// The share that is next.
  ///
  /// - Parameter percent: how much of the bytes of all sealed segments it has at least, 1 to 100; it is never empty where there
  ///   are any.
  package func next(percent: UInt64) throws(LedgerError) -> Share {
    let manifest = try HeldManifest.load(from: directory).manifest
    return share(percent, manifest, known(manifest))
  }

  /// Reads the share that is next.
  ///
  /// - Parameter progress: called with the number of bytes read so far.
  /// - Throws: `io` where a file cannot be read; damage is part of the answer.
  package func run(
    percent: UInt64, progress: ((UInt64) -> Void)? = nil
  ) throws(LedgerError) -> Share {
    // As long as it is held the files stay.
    let held = try HeldManifest.load(from: directory)
    var checked = known(held.manifest)
    var share = share(percent, held.manifest, checked)
    let check = SegmentCheck(directory, ledger: held.manifest.ledger, pool: pool)
    for entry in share.entries {
      do throws(LedgerError) {
        try check.run(entry)
      } catch {
        guard error.code == .damaged else { throw error }
        share.damage = error
        return share
      }
      checked.entries.removeAll { $0.file.hasSameBytes(as: entry.file) }
      checked.entries.append(.init(file: entry.file, checksum: entry.checksum, time: clock()))
      do throws(LedgerError) {
        try keep(checked)
      } catch {
        guard error.isOfOtherKind else { throw error }
        share.notKept = error
      }
      share.soundSegments += 1
      share.soundBytes &+= entry.end
      progress?(share.soundBytes)
    }
    return share
  }

  private func share(
    _ percent: UInt64, _ manifest: Manifest, _ checked: CheckedSegments
  ) -> Share {
    let times = Dictionary(
      checked.entries.map { (ByteText($0.file), $0.time) }, uniquingKeysWith: max)
    let sealed = manifest.segments.filter { $0.isRun && $0.hasFile }
    // Those that were never read have no time; sorting keeps the order of the log among equals by its sequence.
    let order = sealed.sorted { left, right in
      let (a, b) = (times[ByteText(left.file)], times[ByteText(right.file)])
      if a == b { return left.firstSequence < right.firstSequence }
      guard let a else { return true }
      guard let b else { return false }
      return a < b
    }
    let total = sealed.reduce(0.0) { $0 + Double($1.end) }
    var share = Share(segments: sealed.count)
    var taken = 0.0
    for entry in order where share.entries.isEmpty || taken < total * Double(percent) / 100 {
      share.entries.append(entry)
      taken += Double(entry.end)
    }
    return share
  }

  /// What was read, of the segments that there still are; nothing where that cannot be told.
  private func known(_ manifest: Manifest) -> CheckedSegments {
    guard
      let bytes = try? directory.contents(
        of: LedgerNames.checkedSegments, atMost: UInt64(CheckedSegments.bytesMax)),
      var checked = try? CheckedSegments(bytes), checked.ledger == manifest.ledger
    else { return CheckedSegments(ledger: manifest.ledger) }
    let named = Dictionary(
      manifest.segments.map { (ByteText($0.file), $0.checksum) }, uniquingKeysWith: { $1 })
    checked.entries.removeAll { named[ByteText($0.file)] != $0.checksum }
    return checked
  }

  private func keep(_ checked: CheckedSegments) throws(LedgerError) {
    try LedgerError.typing {
      try directory.replaceDurably(
        LedgerNames.checkedSegments, in: LedgerNames.checkpoints
      ) { file in
        try file.write(checked.encoded, at: 0)
      }
    }
  }
}
