import LedgerFormat
import LedgerStorage

/// What a repair is going to do, or did.
public struct Repair: Sendable {
  /// What is repaired.
  public enum Part: Sendable, Hashable {
    /// Something else than a file stood in the place of LOCK: it is moved aside.
    case lock
    /// CURRENT, or the manifest that it names: the list of files is that of another manifest, by its name, or nil, what the
    /// segments say themselves.
    case manifest(from: String?)
    /// A file of another list of files, with other events under the same numbers: its bytes are kept aside, and its events are not
    /// part of the ledger any more.
    case dropped
    /// A segment: what is intact of it goes into a new one.
    case segment
    /// A snapshot: it is no longer used, and nothing is lost with it.
    case snapshot
    /// A segment was away when a repair put the loss of its events on record, and is back: they take their place again.
    case returned
    /// What was moved aside earlier is gone or altered: that is put on record.
    case aside
    /// A manifest or segment that nothing names: it is moved aside as it is, and nothing is lost with it. Or what an earlier repair kept in
    /// the folder `aside`, and no record names: it stays there, and is put on record.
    case unnamed
  }

  /// One thing that is repaired.
  public struct Step: Sendable {
    /// What it is.
    public var part: Part
    /// The name of the file inside the ledger's folder.
    public var file: String
    /// What is wrong with it.
    public var problem: String
    /// How many events of it are kept; nil where it is no segment.
    public var keptEvents: UInt64?
    /// The sequence numbers of the events that are lost; of folded history, of those that may be.
    public var lost: SequenceRanges
    /// Whether the events of ``lost`` had been folded: of those that still counted some are lost, or all, and nobody can tell which.
    public var isOfFolded: Bool
    /// How many of them still counted before; nil where nobody can tell, and where they had not been folded.
    public var countedEvents: UInt64?
    /// How many events are lost; nil where nobody can tell.
    public var lostEvents: UInt64?
    /// The sequence numbers of events that were acknowledged, and are not part of the ledger any more: it has other events under these
    /// numbers, or none.
    public var dropped: SequenceRanges
    /// The sequence numbers of the events of a segment that nothing names, of which nobody can tell whether they were acknowledged: what a
    /// failed sync leaves looks the same. The ledger may have other events under these numbers, or none.
    public var unproven: SequenceRanges
    /// The sequence numbers of the events that were counted as lost, and are part of the ledger again.
    public var returned: SequenceRanges
    /// The last event that is known of, where others may be lost behind it; nil where the end is known.
    public var uncertainAfter: UInt64?
    /// Where the broken bytes are kept, inside the ledger's folder; nil where there are none.
    public var aside: String?
    /// How many bytes these are.
    public var bytes: UInt64
    /// Their SHA-256, 64 hexadecimal digits; nil where there are none.
    public var digest: String?
    /// The file inside the ledger's folder that holds what is kept, where it has another name than it should; nil where it has not.
    public var foundIn: String?
    /// How many tasks a snapshot holds that stands for lost events and is no longer used; nil for anything else.
    public var tasks: UInt64?
  }

  /// The steps, in order; empty when the ledger is sound.
  public var steps: [Step]

  /// What is wrong with files that no list of files names, and that stay as they are: they cannot be read, or are another ledger's.
  public var leftAlone: [LedgerError]

  /// The sequence numbers of the events that are lost; of folded history, of those that may be.
  public var lost: SequenceRanges {
    steps.reduce(into: SequenceRanges()) { $0.formUnion($1.lost) }
  }

  /// The sequence numbers of the events that were counted as lost before, and still are; folded ones apart.
  public var lostBefore: SequenceRanges

  /// How many events are lost; nil where nobody can tell, because nothing says how many of the folded ones still counted.
  public var lostEvents: UInt64? {
    guard let folded = steps.first(where: \.isOfFolded) else { return lost.count }
    let others = steps.lazy.filter { !$0.isOfFolded }
      .reduce(into: SequenceRanges()) { $0.formUnion($1.lost) }
    return folded.lostEvents.map { $0 + others.count }
  }

  /// The sequence numbers of events that were acknowledged on another list of files than the one that counts, where a copy was put back
  /// over a newer ledger and both were appended to. The ledger has other events under these numbers, or none; what these events were is
  /// kept in the files that ``Step/aside`` names.
  public var dropped: SequenceRanges {
    steps.reduce(into: SequenceRanges()) { $0.formUnion($1.dropped) }
  }

  /// The sequence numbers of the events that were counted as lost, and are part of the ledger again.
  public var returned: SequenceRanges {
    steps.reduce(into: SequenceRanges()) { $0.formUnion($1.returned) }
  }

  /// How many events were dropped.
  public var droppedEvents: UInt64

  /// The last event that is known of, where others may be lost behind it; nil where the end is known.
  public var uncertainAfter: UInt64? { steps.lazy.compactMap(\.uncertainAfter).first }

  /// Whether the ledger goes on as another replica, because nothing tells whether it is a backup.
  public var isNewReplica: Bool
  /// How many tasks the events that are left add up to; nil where no snapshot is dropped that would tell of more, and nothing is
  /// lost of what was folded.
  public var tasks: UInt64?

  init(_ plan: RepairPlan) {
    steps = plan.steps.map(Step.init)
    leftAlone = plan.leftAlone
    lostBefore = plan.lostBefore
    isNewReplica = plan.isNewReplica
    droppedEvents = plan.droppedEvents
    tasks = plan.tasks
  }
}

extension Repair.Step {
  init(_ step: RepairPlan.Step) {
    part =
      switch step.part {
      case .lock: .lock
      case .manifest(let source): .manifest(from: source.map(LedgerNames.manifest))
      case .dropped: .dropped
      case .segment: .segment
      case .returned: .returned
      case .snapshot: .snapshot
      case .aside: .aside
      case .unnamed: .unnamed
      }
    file = step.file
    problem = step.problem
    keptEvents = step.keptEvents
    lost = step.lost
    isOfFolded = step.isOfFolded
    countedEvents = step.countedEvents
    lostEvents = step.lostEvents
    dropped = step.dropped
    unproven = step.unproven
    returned = step.returned
    uncertainAfter = step.uncertainAfter
    aside = step.aside
    bytes = step.bytes
    digest = step.digest?.hex
    foundIn = step.foundIn
    tasks = step.tasks
  }
}

/// Saving what is intact of a damaged ledger.
extension Ledger {
  /// What ``repair(at:configuration:progress:)`` would do now; it writes nothing.
  ///
  /// ```swift
  /// let plan = try Ledger.repairPlan(at: "tasks.ledger")
  /// for step in plan.steps { print(step.file, step.problem, "lost:", step.lost.text()) }
  /// ```
  /// - Throws: ``LedgerError`` as ``repair(at:configuration:progress:)``.
  public static func repairPlan(
    at path: String, configuration: LedgerConfiguration = LedgerConfiguration(),
    progress: ((UInt64) -> Void)? = nil
  ) throws(LedgerError) -> Repair {
    let directory = try LedgerError.typing { try LocalDirectory(path: path) }
    return try repairPlan(directory, configuration, progress: progress)
  }

  /// Saves what is intact of a damaged ledger, keeps the broken bytes beside it, and records what was lost. It never happens by
  /// itself.
  ///
  /// Every event that is intact keeps its sequence number, and the tasks are what these events add up to. The numbers of lost events are
  /// never given to others, where they are known; ``lostEvents`` tells them from then on. On a sound ledger, and on one with nothing
  /// but a torn tail, it does nothing. When it is interrupted the ledger is as damaged as before, or repaired; run it again.
  ///
  /// ```swift
  /// let repair = try Ledger.repair(at: "tasks.ledger")
  /// print(repair.steps.count, "parts repaired; lost:", repair.lost.text())
  /// ```
  /// - Parameters:
  ///   - path: the ledger's folder; it need not be possible to open it. Ledgers that are open may stay open.
  ///   - configuration: the clock, and how the files are kept.
  ///   - progress: called now and then with the number of events checked so far.
  /// - Returns: what was done.
  /// - Throws: ``LedgerError`` with code `notFound` where there is no ledger; `damaged` where no list of files fits the files, or
  ///   nobody can tell which event is wrong; `unsupported` for a file of a newer version; `busy` when others are at work for too
  ///   long; `io` where the system does not give some bytes, or cannot write. Nothing was changed then, or the next call completes it.
  @discardableResult
  public static func repair(
    at path: String, configuration: LedgerConfiguration = LedgerConfiguration(),
    progress: ((UInt64) -> Void)? = nil
  ) throws(LedgerError) -> Repair {
    let directory = try LedgerError.typing { try LocalDirectory(path: path) }
    return try repair(directory, configuration, progress: progress)
  }

  package static func repairPlan(
    _ directory: any LedgerDirectory, _ configuration: LedgerConfiguration,
    progress: ((UInt64) -> Void)? = nil
  ) throws(LedgerError) -> Repair {
    Repair(try repairer(directory, configuration, progress).plan())
  }

  package static func repair(
    _ directory: any LedgerDirectory, _ configuration: LedgerConfiguration,
    progress: ((UInt64) -> Void)? = nil
  ) throws(LedgerError) -> Repair {
    Repair(try repairer(directory, configuration, progress).run())
  }

  private static func repairer(
    _ directory: any LedgerDirectory, _ configuration: LedgerConfiguration,
    _ progress: ((UInt64) -> Void)?
  ) -> Repairer {
    Repairer(
      directory, options: configuration.storeOptions, pool: ZstdPool(),
      clock: configuration.clock, progress: progress)
  }

  /// The sequence numbers of events that were lost, as a repair recorded; of folded history, of those that may be. What is read from
  /// this ledger is what all others add up to.
  public var lostEvents: SequenceRanges {
    get throws(LedgerError) { try currentView().manifest.lost }
  }

  /// Those of ``lostEvents`` that had been folded: a part of what still counted of them was lost, or all; nil where nothing was.
  public var foldedLoss: FoldedLoss? {
    get throws(LedgerError) { try currentView().manifest.foldedLoss }
  }

  /// The last event that was known of when a repair found that others may be lost behind it; nil where none did.
  public var lossUncertainAfter: UInt64? {
    get throws(LedgerError) { try currentView().uncertainAfter }
  }

  /// The three of them, of one moment and read once.
  package func losses() throws(LedgerError) -> (
    lost: SequenceRanges, folded: FoldedLoss?, uncertainAfter: UInt64?
  ) {
    let view = try currentView()
    return (view.manifest.lost, view.manifest.foldedLoss, view.uncertainAfter)
  }
}
