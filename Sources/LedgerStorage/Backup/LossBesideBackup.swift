import LedgerCore
import LedgerFormat

/// The events that a backup has and the ledger has lost, as far as their lists of files tell.
///
/// Invariants:
/// - an event up to the end of the backup counts as the backup's unless a repair found it lost there, too;
/// - of folded events no list tells which of them a loss took: they count as the backup's unless both have the same baseline, or the
///   backup was made after the ledger had lost them, which its records tell.
struct LossBesideBackup {
  /// Those that are not folded in the ledger.
  private let events: SequenceRanges
  /// Those that are.
  private let folded: SequenceRanges
  private let ledger: Manifest
  private let backup: Manifest

  init(of ledger: Manifest, beside backup: Manifest) {
    self.ledger = ledger
    self.backup = backup
    let lacking = backup.lackedEvents
    let end = backup.closedEnd.sequence
    func held(_ lost: SequenceRanges) -> SequenceRanges {
      end == 0 ? SequenceRanges() : lost.clamped(to: 1...end).without(lacking)
    }
    events = held(ledger.lostUnfolded)
    folded =
      Self.isOfSameBaseline(ledger, backup) || Self.isOnRecord(ledger, backup)
      ? SequenceRanges() : held(ledger.foldedLoss?.events ?? SequenceRanges())
  }

  private static func isOfSameBaseline(_ ledger: Manifest, _ backup: Manifest) -> Bool {
    guard let one = ledger.baseline, let other = backup.baseline else { return false }
    return one.hasFile && one.file == other.file && one.checksum == other.checksum
  }

  /// Whether the backup has the records of all that the ledger has lost: it was made, or brought up to date, after that.
  private static func isOnRecord(_ ledger: Manifest, _ backup: Manifest) -> Bool {
    let losses = ledger.records.filter(RepairRecord.isLoss)
    return !losses.isEmpty && losses.allSatisfy(backup.records.contains)
  }

  var isEmpty: Bool { events.isEmpty && folded.isEmpty }

  /// Which they are, for people.
  var text: String {
    var parts: [String] = []
    if !events.isEmpty { parts.append(events.eventsText) }
    if !folded.isEmpty { parts.append("some of what still counted of \(folded.eventsText)") }
    return parts.joined(separator: " and ")
  }

  /// The files of the backup that have them, and that fit the ledger as they are.
  var holders: [String] {
    backup.segments.filter { entry in
      guard entry.hasFile, entry.kind != .active else { return false }
      guard entry.kind != .baseline else {
        // Another horizon is another history.
        return !folded.isEmpty && entry.lastSequence == ledger.baseline?.lastSequence
      }
      let range = entry.firstSequence...entry.lastSequence
      return !events.clamped(to: range).without(entry.lost).isEmpty
    }.map { LedgerNames.inSegments($0.file) }
  }

  /// What brings them back, or keeps them.
  var hint: String {
    let elsewhere = "make a new backup in another folder"
    let names = holders
    guard let first = names.first else { return "\(elsewhere); nothing was changed" }
    let files =
      names.count == 1
      ? first : "\(first) and \(names.count - 1) more that \(have(names.count - 1))"
    return
      "copy \(files) from the backup to the same place in the ledger and run `ledger repair`, or \(elsewhere); nothing was changed"
  }

  private func have(_ count: Int) -> String { count == 1 ? "has them" : "have them" }
}

extension Manifest {
  fileprivate var baseline: SegmentEntry? { segments.first { $0.kind == .baseline } }

  /// The lost events that were not folded: these, and no others.
  var lostUnfolded: SequenceRanges {
    segments.reduce(into: SequenceRanges()) { lost, entry in
      if entry.kind != .baseline { lost.formUnion(entry.lost) }
    }
  }

  /// The events of which surely nothing is left.
  fileprivate var lackedEvents: SequenceRanges {
    guard let loss = foldedLoss, loss.isComplete else { return lostUnfolded }
    var lacked = lostUnfolded
    lacked.formUnion(loss.events)
    return lacked
  }
}
