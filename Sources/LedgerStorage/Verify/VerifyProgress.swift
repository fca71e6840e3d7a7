import LedgerCore
import LedgerFormat

/// Keeps how far a verification came, so that the next one goes on from there.
///
/// It is one run over the whole log, from the first event on. What maintenance reads share by share, whichever was not read for longest, is
/// kept apart (``ShareCheck``): it knows single files, and says nothing of what comes before them.
///
/// Invariants:
/// - a position is the end of a segment that is closed and thereby durable, and all before it was found sound;
/// - it counts only for the very files that were read: where one was exchanged, changed on the record, or the log digest is another,
///   all is read again.
struct VerifyProgress {
  private let directory: any LedgerDirectory
  private var began: LedgerTime
  /// So many of the first segments need not be read.
  private(set) var skipped = 0
  /// When the run began that read them.
  private(set) var earlier: VerifyReport.Earlier?
  /// Why nothing is skipped, though a position is there.
  private(set) var restarted: String?

  init(_ directory: any LedgerDirectory, _ manifest: Manifest, now: LedgerTime) {
    self.directory = directory
    began = now
    guard let position = Self.read(directory, &restarted) else { return }
    if position.isDone {
      restarted = "the last verification, begun at \(position.began), came to its end"
      return
    }
    let count = manifest.segments.prefix {
      $0.kind != .active && $0.lastSequence <= position.sequence
    }
    .count
    let expected = VerifyPosition(
      manifest, segments: count, began: position.began, isDone: false)
    guard position == expected, count > 0 else {
      restarted =
        "the files up to event \(position.sequence) are not those that were verified at \(position.began)"
      return
    }
    began = position.began
    skipped = count
    earlier = VerifyReport.Earlier(through: position.sequence, time: position.began)
  }

  private static func read(
    _ directory: any LedgerDirectory, _ problem: inout String?
  ) -> VerifyPosition? {
    do {
      let bytes = try directory.contents(
        of: LedgerNames.verifyPosition, atMost: UInt64(VerifyPosition.byteCount))
      return try VerifyPosition(bytes)
    } catch let error as LedgerError where error.code == .notFound {
      return nil
    } catch {
      problem = "where the last verification stopped cannot be read"
      return nil
    }
  }

  /// Keeps a position.
  ///
  /// - Parameter segments: so many of the first segments were verified.
  func keep(_ manifest: Manifest, segments: Int, isDone: Bool = false) throws(LedgerError) {
    let position = VerifyPosition(manifest, segments: segments, began: began, isDone: isDone)
    try LedgerError.typing {
      try directory.ensureFolder(LedgerNames.checkpoints)
      try directory.replaceDurably(LedgerNames.verifyPosition, in: LedgerNames.checkpoints) {
        file in
        try file.write(position.encoded, at: 0)
      }
    }
  }
}
