import LedgerCore
import LedgerFormat

/// Finds the whole frames of a damaged active or frozen segment, also those behind what is damaged.
///
/// Invariants:
/// - a frame counts only when header and payload fit its checksum and its events follow those before, with a gap where frames
///   are damaged;
/// - the random id of the segment keeps frames of others out, its own header need not be readable.
struct FrameSearch {
  private let source: OpenedFile
  private let entry: SegmentEntry
  private let replica: ReplicaID
  private let pool: ZstdPool
  private let size: UInt64
  private var window: FileWindow
  private var place = UInt64(ActiveHeader.byteCount)
  private var events: [Event] = []
  private var next: UInt64
  private var ownCount: UInt64
  /// Whether the frame before ends here, so that `ownCount` is the count before the next one.
  private var isChained: Bool
  /// The last event that any header names, or LOCK.
  private var lastNamed: UInt64
  /// The last event that any header names.
  private var lastClaimed: UInt64
  private var newestNamed: (time: LedgerTime, isForeign: Bool)?
  private var durableLength: UInt64 = 0
  private var isAppendedTo = false

  init(
    _ source: OpenedFile, _ entry: SegmentEntry, size: UInt64, replica: ReplicaID, pool: ZstdPool,
    durable: DurableEnd? = nil
  ) {
    self.source = source
    self.entry = entry
    self.size = size
    self.replica = replica
    self.pool = pool
    window = FileWindow(source, limit: entry.kind == .frozen ? min(size, entry.end) : size)
    next = entry.firstSequence
    isChained = entry.kind == .active
    ownCount = entry.kind == .active ? entry.ownCount : 0
    lastNamed = entry.firstSequence - 1
    lastClaimed = lastNamed
    let most = entry.firstSequence - 1 + UInt64(RunWriter.eventCountMax)
    if let durable, durable.sequence <= most { lastNamed = max(lastNamed, durable.sequence) }
  }

  mutating func run() throws(LedgerError) -> SegmentSalvage {
    while place < window.limit, let data = try source.nextData(from: place) {
      place = max(place, data & ~7)
      guard let start = try window.load(place, FrameHeader.byteCount) else { break }
      if let claim = FrameHeader.claim(in: window.bytes, at: start, segment: entry.segment),
        isPossible(claim)
      {
        note(claim)
        if try take(claim) { continue }
      }
      isChained = false
      place += 8
    }
    return result
  }

  /// Whether the frame can stand here; numbers that pass can be added to.
  private func isPossible(_ claim: FrameHeader) -> Bool {
    let most = entry.kind == .frozen ? entry.lastSequence : UInt64(Int64.max) - 1
    return claim.eventCount >= 1 && claim.eventCount <= Limits.transactionEventsMax
      && claim.firstSequence >= next && claim.firstSequence <= most
      && claim.lastSequence <= most && claim.durablePosition <= place
      && claim.firstSequence - entry.firstSequence < UInt64(RunWriter.eventCountMax)
      && claim.payloadLength <= FrameHeader.payloadBytesMax && claim.ownCount < UInt64(Int64.max)
      && claim.newestTime >= .earliest && claim.newestTime <= .latest
  }

  private mutating func note(_ claim: FrameHeader) {
    lastNamed = max(lastNamed, claim.lastSequence)
    lastClaimed = max(lastClaimed, claim.lastSequence)
    durableLength = max(durableLength, claim.durableLength)
    if newestNamed.map({ $0.time < claim.newestTime }) ?? true {
      newestNamed = (claim.newestTime, claim.newestIsForeign)
    }
    if claim.lastSequence == lastNamed, entry.kind == .active {
      ownCountNamed = max(ownCountNamed, claim.ownCount)
    }
  }

  private var ownCountNamed: UInt64 = 0

  /// Takes the events of the frame, if it is whole.
  private mutating func take(_ claim: FrameHeader) throws(LedgerError) -> Bool {
    do throws(LedgerError) {
      guard let start = try window.load(place, claim.byteCount),
        let header = try FrameHeader(in: window.bytes, at: start, segment: entry.segment)
      else { return false }
      let payload = start + FrameHeader.byteCount
      let bytes = Array(window.bytes[payload..<payload + Int(header.payloadLength)])
      guard let before = try ownBefore(header, bytes) else { return false }
      events.append(contentsOf: try decoded(header, bytes, ownBefore: before))
      next = header.lastSequence + 1
      ownCount = header.ownCount
      isChained = true
      if header.durablePosition > UInt64(ActiveHeader.byteCount) { isAppendedTo = true }
      place += UInt64(header.byteCount)
      return true
    } catch {
      guard error.code == .damaged else { throw error }
      return false
    }
  }

  /// The replica's count before a frame. Behind a gap it follows from the one after: two attempts tell which events count.
  private func ownBefore(
    _ header: FrameHeader, _ payload: [UInt8]
  ) throws(LedgerError) -> UInt64? {
    if isChained { return ownCount }
    let (some, others) = (
      try decoded(header, payload, ownBefore: 0), try decoded(header, payload, ownBefore: 1 << 62)
    )
    let counted = zip(some, others).count { $0.stamp.count != $1.stamp.count }
    return header.ownCount >= UInt64(counted) ? header.ownCount - UInt64(counted) : nil
  }

  private func decoded(
    _ header: FrameHeader, _ payload: [UInt8], ownBefore: UInt64
  ) throws(LedgerError) -> [Event] {
    try FrameRecord(header, at: place, replica: replica, ownBefore: ownBefore, payload: payload)
      .events(pool)
  }

  private var result: SegmentSalvage {
    var salvage = SegmentSalvage(nothingOf: entry)
    salvage.events = events
    salvage.isAppendedTo = isAppendedTo
    if entry.kind == .active {
      salvage.lastSequence = lastNamed
      // Whichever of the events that LOCK alone knows of were the replica's own.
      salvage.ownCount = max(ownCount, ownCountNamed) + (lastNamed - lastClaimed)
      salvage.isEndKnown = size >= max(durableLength, SegmentFile.lengthMin)
      salvage.newest = newest
    }
    if salvage.lastSequence >= entry.firstSequence {
      salvage.lost = SequenceRanges(ascending: events.lazy.map(\.sequence))
        .missing(in: entry.firstSequence...salvage.lastSequence)
    }
    return salvage
  }

  /// A stamp after which none of the segment's was made.
  private var newest: Stamp? {
    let found = events.lazy.map(\.stamp).max()
    guard let named = newestNamed, found.map({ $0.time < named.time }) ?? true else { return found }
    // Where the newest event was another replica's, the next one must be later than that.
    let later = named.isForeign ? named.time.milliseconds + 1 : named.time.milliseconds
    return Stamp(
      time: (try? LedgerTime(milliseconds: later)) ?? named.time, replica: replica,
      count: max(ownCount, ownCountNamed))
  }
}
