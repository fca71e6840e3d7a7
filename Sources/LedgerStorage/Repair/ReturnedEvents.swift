import LedgerCore
import LedgerFormat

/// Events that a list of files counts as lost, in segments beside it: they were away when a repair put the loss on record, and are back.
///
/// Invariants:
/// - an event counts as returned only where its file is bound to the list: by a log digest, its first or a later one (be it one that a
///   repair made up, of which no record is left), or by an event that both have, and no event or log digest of the list says otherwise;
/// - where the list has another event under the number of one of the file's, the file is of another history there, and its events from
///   there on are never taken for lost ones;
/// - a baseline returns whole, or not at all: which of its events are missing otherwise nobody can tell.
struct ReturnedEvents {
  /// What a file is to the list, as far as its numbers are those of segments that have lost events.
  struct Look {
    /// The lost events that it holds.
    var found = SequenceRanges()
    /// Whether it holds other events than the list.
    var isOther = false
    /// Whether it holds lost events that cannot be taken for what was there.
    var isUnsure = false
    /// Whether some of its events cannot be read.
    var isDamaged = false
    /// Whether every event that it holds is in the list, or returns to it.
    var isComplete = false
  }

  private let list: ListWithLosses
  private let pool: ZstdPool
  private let reading: SegmentReading
  private let eventsMax: UInt64
  private var looks: [ByteText: Look] = [:]
  /// Log digests after lost events, as files that are bound to the list tell them.
  private var told: [UInt64: Digest] = [:]
  /// The events of segments that have lost some, as far as they were read.
  private var known: [SegmentEntry: [UInt64: Event]] = [:]

  private var manifest: Manifest { list.manifest }

  /// - Parameter eventsMax: no longer segment is read.
  init(
    _ directory: any LedgerDirectory, _ list: ListWithLosses, pool: ZstdPool,
    eventsMax: UInt64 = .max
  ) {
    self.list = list
    self.pool = pool
    self.eventsMax = eventsMax
    reading = SegmentReading(directory, list.manifest, pool: pool)
  }

  /// Looks at files of which one can bind another to the list.
  mutating func look(atAll files: [FileBeside]) throws(LedgerError) {
    var before: Int
    repeat {
      before = told.count
      for file in files { _ = try look(at: file) }
      if told.count > before { looks = looks.filter { !$0.value.isUnsure } }
    } while told.count > before
  }

  /// What a file beside the list is to what is lost; nil where its numbers are not those of segments that have lost events.
  mutating func look(at file: FileBeside) throws(LedgerError) -> Look? {
    guard let entry = file.entry, file.sequence >= entry.firstSequence else { return nil }
    let name = ByteText(file.name)
    if let look = looks[name] { return look }
    let range = entry.firstSequence...file.sequence
    let holes = manifest.segments.filter { $0.mayHaveReturned && $0.overlaps(range) }
    guard !holes.isEmpty else { return nil }
    var look = Look()
    if range.upperBound - range.lowerBound >= eventsMax {
      look.isUnsure = true
    } else {
      do throws(LedgerError) {
        look =
          entry.kind == .baseline
          ? try lookAtBaseline(file, entry) : try compare(file, entry, holes)
      } catch {
        guard error.code == .damaged else { throw error }
        // What a repair has put aside is left where it was when that is interrupted.
        look.isUnsure = !file.isPutAside
        look.isDamaged = true
      }
    }
    looks[name] = look
    return look
  }

  /// Whether the end of a file lies in a segment that has lost events: what the file is to the list is told by its events then, not by
  /// the log digest there.
  func decides(_ file: FileBeside) -> Bool {
    manifest.segments.contains {
      $0.mayHaveReturned && $0.kind == .salvaged && $0.overlaps(file.sequence...file.sequence)
    }
  }

  private func lookAtBaseline(
    _ file: FileBeside, _ entry: SegmentEntry
  ) throws(LedgerError) -> Look {
    var look = Look()
    guard let own = manifest.segments.first, own.kind == .baseline || !own.hasFile,
      !own.lost.isEmpty, own.lastSequence == entry.lastSequence,
      own.digestAfter == entry.digestAfter
    else {
      // An earlier one is no leftover of a fold where what came in its place is lost.
      let first = manifest.segments.first
      look.isUnsure = first?.kind != .baseline || first?.lost.isEmpty == false
      return look
    }
    guard let (run, _) = try reading.openedRun(entry), try run.forEachIntactEvent(pool, { _ in })
    else {
      // A broken one may be what a repair has replaced.
      look.isUnsure = !file.isPutAside
      return look
    }
    look.found = own.lost
    look.isComplete = true
    return look
  }

  private mutating func compare(
    _ file: FileBeside, _ entry: SegmentEntry, _ holes: [SegmentEntry]
  ) throws(LedgerError) -> Look {
    let (events, isWhole) = try reading.intactEvents(of: entry)
    let points = digests(of: entry, events)
    var look = Look()
    var (bound, other) = (UInt64?.none, UInt64?.none)
    // A digest inside a segment that has lost events may go on from one that was made up: that it is another says nothing.
    var inside = told
    for hole in holes where hole.kind == .salvaged {
      let own = try knownEvents(of: hole)
      inside.merge(digests(of: hole, own.values.sorted { $0.sequence < $1.sequence })) { $1 }
      for event in events {
        guard let same = own[event.sequence] else { continue }
        if same == event {
          bound = max(bound ?? 0, event.sequence)
        } else {
          other = min(other ?? .max, event.sequence)
        }
      }
    }
    for (number, digest) in try ends() {
      guard let found = points[number] else { continue }
      if found == digest.value {
        bound = max(bound ?? 0, number)
      } else if !digest.isMadeUp {
        if MadeUpDigest(entry, events, through: number).isOne(digest.value) {
          bound = max(bound ?? 0, number)
          continue
        }
        other = min(other ?? .max, number)
      }
    }
    for number in points.keys where inside[number] == points[number] {
      bound = max(bound ?? 0, number)
    }
    let lost = manifest.lost
    let held = events.lazy.map(\.sequence).filter(lost.contains)
    let follows =
      file.isProof
      || file.wasAppendedTo
        && (holes.contains { $0.beginsLike(entry) }
          || inside[entry.firstSequence - 1] == entry.digestBefore)
    // What follows what is bound is of this history, too, where nothing says otherwise. But what a failed sync leaves, or a segment that
    // came to nothing, begins like others as well.
    let last = other == nil && follows ? UInt64.max : bound ?? 0
    let taken = bound == nil ? [] : held.filter { $0 <= last && !isFolded($0) }
    if bound != nil, eventsMax == .max {
      told.merge(points.filter { $0.key <= last }) { known, _ in known }
    }
    look.found = SequenceRanges(ascending: taken)
    look.isOther = other != nil
    look.isDamaged = !isWhole
    // Other eyes may see more in what is damaged; what a repair has put aside is kept there.
    let end = holes.map(\.lastSequence).reduce(file.sequence, max)
    let mayHold = lost.clamped(to: entry.firstSequence...end)
    let isBroken =
      (!isWhole || file.hasTail) && !file.isPutAside && taken.count < mayHold.count
    look.isUnsure = taken.count < held.count || isBroken
    look.isComplete =
      !look.isOther && !look.isUnsure && file.sequence <= manifest.lastFixedSequence
    return look
  }

  private func isFolded(_ sequence: UInt64) -> Bool {
    manifest.segments.first.map { $0.kind == .baseline && sequence <= $0.lastSequence } ?? false
  }

  private mutating func knownEvents(
    of entry: SegmentEntry
  ) throws(LedgerError) -> [UInt64: Event] {
    if let known = known[entry] { return known }
    let events: [Event]
    if let rest = list.events(of: entry) {
      events = rest
    } else {
      events = try reading.intactEvents(of: entry).events
    }
    let found = Dictionary(
      events.map { ($0.sequence, $0) }, uniquingKeysWith: { first, _ in first })
    known[entry] = found
    return found
  }

  /// The log digests around the events of a file, as far as no event is missing, and at its end where it says that itself.
  private func digests(of entry: SegmentEntry, _ events: [Event]) -> [UInt64: Digest] {
    var digest = entry.logDigestBefore
    var points = [digest.sequence: digest.value]
    if entry.isRun { points[entry.lastSequence] = entry.digestAfter }
    var scratch: [UInt8] = []
    for event in events {
      guard event.sequence == digest.sequence + 1 else { break }
      digest.append(event, scratch: &scratch)
      points[digest.sequence] = digest.value
    }
    return points
  }

  /// The log digests at the ends of the list's segments.
  private func ends() throws(LedgerError) -> [UInt64: (value: Digest, isMadeUp: Bool)] {
    var ends: [UInt64: (value: Digest, isMadeUp: Bool)] = [0: (.zero, false)]
    for entry in manifest.segments where entry.kind != .active {
      let isMadeUp = entry.kind == .salvaged ? try isEndMadeUp(entry) : false
      ends[entry.lastSequence] = (entry.digestAfter, isMadeUp)
    }
    return ends
  }

  /// Whether a repair had to make up the log digest at the end of a segment, with zeros for what is lost: that of the events is another.
  func isEndMadeUp(_ entry: SegmentEntry) throws(LedgerError) -> Bool {
    if let isUncertain = list.isEndUncertain(entry) { return isUncertain }
    if entry.lost.isEmpty || RepairRecord.unboundEnds(in: manifest).contains(entry.lastSequence) {
      return true
    }
    guard entry.eventCount <= eventsMax else { return true }
    return try reading.remains(of: entry).digest(after: entry.digestBefore) == entry.digestAfter
      || isMadeOfZeros(entry)
  }

  /// Whether more was lost when a repair made up the log digest at the end of a segment: all from the end of an earlier one on.
  private func isMadeOfZeros(_ entry: SegmentEntry) -> Bool {
    let known = manifest.segments.filter { $0.lastSequence < entry.firstSequence }
    return ([.empty] + known.map(\.logDigestAfter)).contains { end in
      MadeUpDigest.zeros(after: end, through: entry.lastSequence) == entry.digestAfter
    }
  }
}

extension SegmentEntry {
  /// Whether a repair found events of it lost.
  fileprivate var mayHaveReturned: Bool { kind == .salvaged || !lost.isEmpty }

  fileprivate func overlaps(_ range: ClosedRange<UInt64>) -> Bool {
    eventCount > 0 && firstSequence <= range.upperBound && range.lowerBound <= lastSequence
  }

  /// Whether another segment begins where this one does, with the same history before it.
  fileprivate func beginsLike(_ other: SegmentEntry) -> Bool {
    kind == .salvaged && firstSequence == other.firstSequence && digestBefore == other.digestBefore
  }
}
