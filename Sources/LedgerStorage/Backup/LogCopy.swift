import LedgerCore
import LedgerFormat

/// A log as another folder is to hold it.
///
/// Sealed segments are copied as they are, under their names: they never change. Of a segment of frames the copy has those that
/// were there at the moment of the view, and its manifest says where they end, as of any closed segment: whatever is appended
/// to the original, the copy stays a prefix of the log.
struct LogCopy {
  /// One segment with events.
  struct Part {
    /// What the copy's manifest says of it.
    var entry: SegmentEntry
    /// Its file in the original.
    var source: SegmentEntry
    /// How long the copy's file is: frames say how long theirs was when they were written.
    var length: UInt64
  }

  /// Keeps the original's files from being removed.
  let view: LogView
  let parts: [Part]
  /// Where the log ends that is copied.
  let end: LogDigest

  /// - Parameter view: all of it must be durable.
  init(_ view: LogView) throws(LedgerError) {
    self.view = view
    // Also those that are lost whole, of which there is no file.
    var parts = view.manifest.segments.filter(\.isRun).map {
      Part(entry: $0, source: $0, length: $0.end)
    }
    for segment in view.frameSegments where segment.eventCount > 0 {
      let closed =
        segment.entry.kind == .active
        ? segment.closed(try view.digestOfActive()) : segment.entry
      parts.append(Self.part(segment, closed))
    }
    self.parts = parts
    end = parts.last?.entry.logDigestAfter ?? .empty
  }

  private static func part(_ segment: FrameSegment, _ closed: SegmentEntry) -> Part {
    var entry = closed
    entry.file = LedgerNames.closedSegment(
      first: closed.firstSequence, segment: closed.segment, end: closed.end)
    var length = max(SegmentFile.lengthMin, closed.end)
    for frame in segment.frames { length = max(length, frame.header.durableLength) }
    return Part(entry: entry, source: closed, length: length)
  }

  /// The log digest after an event, where that is known without reading.
  func digest(at sequence: UInt64) -> Digest? {
    if sequence == 0 { return .zero }
    return parts.first { $0.entry.lastSequence == sequence }?.entry.digestAfter
  }

  /// The part that holds an event and later ones.
  func place(holdingMoreThan sequence: UInt64) -> Int? {
    parts.firstIndex { $0.entry.firstSequence <= sequence && sequence < $0.entry.lastSequence }
  }
}

/// What was copied, and what there is.
package struct CopyReport: Hashable, Sendable {
  /// A file that was copied before and is no longer what was copied then.
  package struct Mended: Hashable, Sendable {
    package var file: String
    /// What was wrong with it.
    package var problem: String
  }

  /// The files that were copied.
  package var copiedFiles = 0
  /// Their bytes.
  package var copiedBytes: UInt64 = 0
  /// The files that there are in the copy, those included that were there before.
  package var files = 0
  /// Their bytes.
  package var bytes: UInt64 = 0
  /// Those of the copied files that had been copied before.
  package var mended: [Mended] = []

  mutating func note(_ bytes: UInt64, isCopied: Bool) {
    files += 1
    self.bytes += bytes
    guard isCopied else { return }
    copiedFiles += 1
    copiedBytes += bytes
  }

  mutating func noteMended(_ file: String, _ problem: LedgerError) {
    mended.append(Mended(file: file, problem: problem.sentence))
  }
}

// Copying.
extension LogCopy {
  /// Copies one segment, and reads the copy back.
  ///
  /// - Parameters:
  ///   - note: called with the log digest after each event.
  ///   - confirm: throws where the copy is sound and not wanted all the same.
  func copy(
    _ part: Part, to target: any LedgerDirectory, note: (LogDigest) -> Void = { _ in },
    confirm: () throws -> Void = {}
  ) throws {
    guard part.entry.hasFile else { return try confirm() }
    let files = FileCopy(source: view.directory, target: target)
    try files.copy(
      LedgerNames.inSegments(part.source.file), bytes: part.entry.end,
      to: LedgerNames.inSegments(part.entry.file), length: part.length
    ) { _ in
      var draft = part.entry
      draft.file += LedgerNames.draftSuffix
      do throws(LedgerError) {
        try check(target).run(draft, note: note)
      } catch {
        guard error.code == .damaged else { throw error }
        // Which of the two is wrong?
        try check(view.directory).run(part.source)
        throw misread(LedgerNames.inSegments(part.entry.file), target, error)
      }
      try confirm()
    }
  }

  /// What there is of a file in the other folder.
  enum Presence {
    case missing
    /// Every byte of it is what was copied.
    case whole
    /// It is there, and no longer what was copied, or cannot be read.
    case broken(LedgerError)
  }

  /// Looks at a segment that may have been copied before. All of it is read: a size and a footer say nothing of what lies between.
  ///
  /// - Parameter note: called with the log digest after each event, where it is given.
  func presence(
    of part: Part, in target: any LedgerDirectory, note: ((LogDigest) -> Void)? = nil
  ) -> Presence {
    guard part.entry.hasFile else { return .whole }
    let name = LedgerNames.inSegments(part.entry.file)
    do throws(LedgerError) {
      guard try LedgerError.typing({ try target.status(name) }) != nil else { return .missing }
      if let note {
        try check(target).run(part.entry, note: note)
      } else {
        try check(target).checksums(part.entry)
      }
      return .whole
    } catch {
      return .broken(error)
    }
  }

  func check(_ directory: any LedgerDirectory) -> SegmentCheck {
    SegmentCheck(directory, ledger: view.manifest.ledger, pool: view.pool)
  }

  /// Copies what was moved aside, as far as it is still there.
  func copyAside(to target: any LedgerDirectory, _ report: inout CopyReport) throws {
    let kept = view.manifest.keptAside
    guard !kept.isEmpty else { return }
    try view.directory.checkFolder(LedgerNames.aside)
    try target.ensureFolder(LedgerNames.aside)
    for (name, digest) in kept {
      guard let size = try sizeAside(name) else { continue }
      let found = presence(ofAside: name, digest: digest, in: target)
      if case .whole = found {
        report.note(size, isCopied: false)
        continue
      }
      try copyAside(name, size: size, to: target)
      report.note(size, isCopied: true)
      if case .broken(let error) = found { report.noteMended(name, error) }
    }
    try target.syncFolder(LedgerNames.aside)
  }

  /// The length of a file that was moved aside; nil where it is gone, or was never a file, and holds nothing then.
  private func sizeAside(_ name: String) throws -> UInt64? {
    do {
      let file = try view.directory.open(name, .read)
      defer { file.close() }
      return try file.size()
    } catch let error as LedgerError where error.code == .notFound || error.isOfOtherThanFile {
      return nil
    }
  }

  /// - Parameter digest: what the record says; one that the original does not have any more either is not asked for.
  private func presence(
    ofAside name: String, digest recorded: String?, in target: any LedgerDirectory
  ) -> Presence {
    do {
      guard try target.status(name) != nil else { return .missing }
      let found = try digest(of: name, in: target)
      if found.hex == recorded { return .whole }
      if try found == digest(of: name, in: view.directory) { return .whole }
      throw LedgerError(
        .damaged, "its digest is \(found.hex)\(recorded.map { ", expected \($0)" } ?? "")",
        path: target.pathOf(name))
    } catch {
      return .broken(LedgerError.wrapping(error))
    }
  }

  private func copyAside(_ name: String, size: UInt64, to target: any LedgerDirectory) throws {
    try FileCopy(source: view.directory, target: target).copy(
      name, bytes: size, to: name, length: size
    ) { draft in
      guard try digest(of: draft, in: target) == digest(of: name, in: view.directory) else {
        throw misread(name, target, nil)
      }
    }
  }

  private func digest(of name: String, in directory: any LedgerDirectory) throws -> Digest {
    let file = try directory.open(name, .read)
    defer { file.close() }
    return try FileStretch(file: file, range: 0..<file.size()).digest()
  }

  private func misread(
    _ name: String, _ target: any LedgerDirectory, _ cause: LedgerError?
  ) -> LedgerError {
    LedgerError(
      .io, "a copy reads back otherwise than it was written", path: target.pathOf(name),
      cause: cause?.message, hint: "check the disk of the copy; what was there before is as it was")
  }
}
