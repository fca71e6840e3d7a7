import LedgerCore
import LedgerFormat

/// How a writer comes to know the ledger: what others appended, what a dead writer left behind, and whether the list of files that
/// CURRENT names is the one that counts.
extension LogWriter {
  /// Reads what others appended, and whatever else lies behind it: they may have died.
  func catchUp() throws {
    let isCurrent = try HeldManifest.readCurrent(directory) == view.held.current
    if !isCurrent || segment == nil {
      // Whether the rename that made this CURRENT is durable is not known to this process.
      try directory.syncFolder("")
    }
    let isUntouched = try isCurrent && view.held.isUntouched(in: directory)
    let held = isUntouched ? view.held : try HeldManifest.load(from: directory)
    try held.manifest.checkIsNoBackup(directory.path)
    let opened = try LogOpening.open(
      held, directory, pool: pool, known: segment == nil ? nil : view)
    guard opened.view.lastSequence >= durableSequence else { throw wentBack(opened.view) }
    if segment == nil || !isUntouched {
      // Whoever puts a copy back takes no lock. A single append need not ask: it goes on from a list that was looked at.
      var unlisted = UnlistedFiles(
        directory, held, pool: pool, end: opened.view.lastSequence,
        eventsMax: UnlistedFiles.quicklyComparedEventsMax)
      try unlisted.checkList()
    }
    let before = segment == nil ? nil : view
    view = opened.view
    activeDigest = activeDigest.flatMap { digest(onFrom: $0, at: before) }
    try takeOver(opened)
    durableSequence = view.lastSequence
  }

  /// What is known of the log digest, taken on to the end of what was read, so that whoever closes one segment after the other reads
  /// none of them again; nil where what was read does not go on from there.
  private func digest(onFrom known: SegmentDigest, at before: LogView?) -> SegmentDigest? {
    guard let before, known.digest.sequence == before.lastSequence,
      before.active.header.segment == view.active.header.segment, before.isContinued(by: view)
    else { return nil }
    var known = known
    for frame in view.active.frames.ending(after: before.lastSequence) {
      // Where the segment is closed it is read again, which tells what is wrong.
      guard let events = try? frame.events(pool) else { return nil }
      known.append(events)
    }
    return known
  }

  private func wentBack(_ found: LogView) -> LedgerError {
    LedgerError(
      .damaged,
      "the ledger ends with event \(found.lastSequence), expected \(durableSequence), which was durable",
      path: found.path(of: found.active), cause: "its files are older ones",
      hint: "put back the files that were there, or open the ledger again to go on from these")
  }

  /// Makes what was read durable and the file ready for appending.
  private func takeOver(_ opened: LogOpening.Result) throws {
    let name = LedgerNames.inSegments(view.active.entry.file)
    let file = try directory.open(name, .readWrite)
    var segment = try SegmentFile(
      file, path: directory.pathOf(name), extensionBytes: options.extensionBytes,
      durablePosition: opened.durablePosition,
      durableLength: max(opened.durableLength, view.active.end))
    // First what a record of the tail says that it follows.
    try rewrite(file, from: &segment)
    if case .torn(let start, let end) = opened.tail {
      try moveAside(start..<end, of: file, reason: "torn tail")
    }
    do {
      try segment.finishExtension(fileLength: opened.fileLength, end: view.active.end)
    } catch {
      if segment.hasFailedSync { poison(LedgerError.wrapping(error)) }
      throw error
    }
    self.segment = segment
  }

  /// Frames that no later frame names as durable may be clean pages of a failed sync: they are written again, byte for
  /// byte.
  private func rewrite(_ file: any LedgerFile, from segment: inout SegmentFile) throws {
    let end = view.active.end
    guard segment.durablePosition < end else { return }
    let start = segment.durablePosition
    let bytes = try file.read(at: start, count: Int(end - start))
    try file.write(bytes, at: start)
    try syncSegment(file)
    segment.durablePosition = end
  }

  /// The file, measured anew after a failure.
  func readySegment() throws(LedgerError) -> SegmentFile {
    do {
      if segment == nil { try catchUp() }
    } catch {
      throw LedgerError.wrapping(error)
    }
    guard let segment else {
      throw LedgerError(.io, "cannot open the active segment", path: directory.path)
    }
    return segment
  }
}
