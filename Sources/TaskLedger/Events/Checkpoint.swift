import LedgerCore
import LedgerFormat
import LedgerStorage

/// How far a consumer of events has come, kept in the ledger's folder under a name.
///
/// ```swift
/// let mailer = try ledger.checkpoint("mailer")
/// for try await event in ledger.events(after: mailer) {
///   try send(event)
///   try mailer.advance(to: event)
/// }
/// ```
/// An event counts as processed once ``advance(to:)-(Event)`` has returned. What was sent before a crash and not yet noted comes
/// again: at least once. It need not be called for every event; each call costs a sync.
///
/// Beside the position it keeps the log digest there, so that a ledger that went back, such as one restored from a backup under the
/// same folder, is noticed and not taken for the one that was read.
public final class Checkpoint: Sendable {
  /// The name of the consumer.
  public let name: String
  private let ledger: Ledger
  /// Where it stands; whoever moves it on holds this while the disk works.
  private let reader: Guarded<DigestReader>
  /// The same for those who ask meanwhile.
  private let position: Guarded<UInt64>

  /// The sequence number of the last event that was processed; 0 before the first.
  public var sequence: UInt64 { position.withLock { $0 } }

  fileprivate init(_ name: String, _ ledger: Ledger, _ reader: DigestReader) {
    self.name = name
    self.ledger = ledger
    self.reader = Guarded(reader)
    position = Guarded(reader.digest.sequence)
  }

  /// Notes durably that an event and all before it were processed.
  ///
  /// - Throws: ``LedgerError`` as ``advance(to:)-(UInt64)``.
  public func advance(to event: Event) throws(LedgerError) { try advance(to: event.sequence) }

  /// Notes durably that all events up to a sequence number were processed. The events themselves are made durable first.
  ///
  /// - Parameter sequence: at or after the checkpoint's own; it never goes back.
  /// - Throws: ``LedgerError`` with code `invalid` for a sequence number before the checkpoint's or one whose events were folded
  ///   since, or when the folder is a backup, `beyondEnd` for one that no event has, `busy` or `io` when it cannot be written: the position is the old one then,
  ///   unless the message says that a folder could not be synced.
  public func advance(to sequence: UInt64) throws(LedgerError) {
    try reader.withLock { (reader) throws(LedgerError) in
      let known = reader.digest.sequence
      guard sequence != known else { return }
      guard sequence > known else {
        throw LedgerError(
          .invalid,
          "the checkpoint \"\(name)\" stands at event \(known) and cannot go back to \(sequence)",
          hint: "remove the checkpoint to begin anew; nothing was changed")
      }
      let view = try ledger.durableView(through: sequence)
      try view.manifest.checkIsNoBackup(ledger.path)
      var moved = reader
      try moved.move(to: sequence, in: view)
      try CheckpointStore(ledger.directory).store(
        CheckpointFile(
          ledger: view.manifest.ledger, name: name, digest: moved.digest,
          stored: ledger.configuration.clock()))
      reader = moved
      position.withLock { $0 = sequence }
    }
  }
}

/// Named positions.
extension Ledger {
  /// The checkpoint of a consumer, where it stood when it was stored last; at 0 for a name that is new.
  ///
  /// - Parameter name: 1 to 64 lower-case letters, digits, dots, dashes and underscores, the first a letter or digit.
  /// - Throws: ``LedgerError`` with code `invalid` for another name; `damaged` when its file is not what was written, or when the
  ///   ledger is not the one at which it was stored: it ends earlier, or other events are in it.
  public func checkpoint(_ name: String) throws(LedgerError) -> Checkpoint {
    try Self.checkCheckpointName(name)
    let view = try currentView()
    let store = CheckpointStore(directory)
    try store.removeDrafts(of: name)
    var reader = DigestReader()
    if let file = try store.read(name, of: view.manifest.ledger) {
      reader = try Self.reader(at: file, view, path: directory.pathOf(LedgerNames.checkpoint(name)))
    }
    return Checkpoint(name, self, reader)
  }

  /// Stands at a stored position, if the ledger still leads there.
  private static func reader(
    at file: CheckpointFile, _ view: LogView, path: String
  ) throws(LedgerError) -> DigestReader {
    let sequence = file.digest.sequence
    func wentBack(_ found: String) -> LedgerError {
      LedgerError(
        .damaged, "the checkpoint \"\(file.name)\" stands at event \(sequence), but \(found)",
        path: path,
        hint:
          "the ledger went back, perhaps to a backup: see what the consumer has done since, then remove the file"
      )
    }
    guard sequence <= view.lastSequence else {
      throw wentBack("the ledger ends with event \(view.lastSequence)")
    }
    // Of what was folded only the end can be compared; whoever reads on from there is told.
    if let horizon = view.horizon, sequence < horizon.sequence {
      return DigestReader(at: file.digest)
    }
    var reader = DigestReader()
    try reader.move(to: sequence, in: view)
    // Behind events that a repair found lost nothing can be compared before the end of their segment.
    guard reader.isExact else { return DigestReader(at: file.digest) }
    guard reader.digest == file.digest else {
      throw wentBack("other events lead there than those that it was stored at")
    }
    return reader
  }

  /// The names of the consumers that have a checkpoint, in order.
  ///
  /// - Throws: ``LedgerError`` with code `io` when the folder cannot be read.
  public func checkpointNames() throws(LedgerError) -> [String] {
    try CheckpointStore(directory).names()
  }

  /// Removes the checkpoint of a consumer: it begins anew, or is gone.
  ///
  /// - Returns: false when there was none.
  /// - Throws: ``LedgerError`` with code `invalid` for what is no name, `io` when it cannot be removed.
  @discardableResult
  public func removeCheckpoint(_ name: String) throws(LedgerError) -> Bool {
    try Self.checkCheckpointName(name)
    return try CheckpointStore(directory).remove(name)
  }

  private static func checkCheckpointName(_ name: String) throws(LedgerError) {
    guard !CheckpointFile.isName(name) else { return }
    throw LedgerError(
      .invalid,
      "\"\(name.shortened)\" cannot be the name of a checkpoint, expected 1 to \(CheckpointFile.nameBytesMax) lower-case letters, digits, dots, dashes and underscores, the first a letter or digit"
    )
  }
}

extension Ledger {
  /// A view in which the events up to a sequence number are durable: what only other processes know to be is made so first.
  fileprivate func durableView(through sequence: UInt64) throws(LedgerError) -> LogView {
    let view = try currentView()
    guard sequence <= view.lastSequence else {
      throw LedgerError(
        .beyondEnd, "there is no event \(sequence)", path: directory.path,
        cause: "the last one is \(view.lastSequence)", hint: "nothing was changed")
    }
    try EventReader.checkHorizon(sequence, view)
    if view.saysDurable(sequence) { return view }
    if shared.withLock({ $0.durableThrough }) >= sequence { return view }
    // A sync alone does not help: the pages of one that failed may count as clean.
    let durable = try durableView()
    guard durable.lastSequence >= sequence else {
      throw LedgerError(
        .io, "event \(sequence) is gone: the write that brought it failed", path: directory.path,
        hint: "nothing was changed; the events after \(durable.lastSequence) come anew")
    }
    return durable
  }
}
