import LedgerCore
import LedgerFormat

extension SegmentInventory {
  /// A file of which header and footer can be read.
  struct File {
    var name: String
    var ledger: ReplicaID
    /// What a manifest would say of it, as the active segment where it holds frames; the own replica's count is that of its frames.
    var entry: SegmentEntry
    /// The last event that it holds; the one before its first where there is none.
    var lastSequence: UInt64
    /// The log digest after that; of damaged frames one in which zeros stand for what is lost.
    var digestAfter: Digest
    /// The newest stamp of its events.
    var newest: Stamp?
    /// Where its last frame ends, and the checksum of that.
    var end: UInt64
    /// Where frames can end at most: the length of the file.
    var fileEnd: UInt64 = 0
    var seed: UInt64
    var ownCount: UInt64
    /// The replica of its frames, and the counts of events by replica in a run.
    var replica: ReplicaID?
    var counts: [ReplicaID: UInt64] = [:]
    /// Whether every event of it can be read. What follows damaged frames, or the log digest after them, is not known.
    var isWhole = true
    /// Whether its frames end before the place that its name tells, or may: what is missing behind them its file does not say.
    var isCut = false
    /// Whether bytes stand behind its frames that are none: of a closed segment they are damaged frames.
    var hasTail = false
    /// The ends of its frames, of a whole segment.
    var frameEnds: [FrameEnd] = []
    /// Whether damaged frames tell that the segment was appended to.
    var isAppendedTo = false
    /// Whether some of the events that a salvaged segment says are lost may have been there: blocks of it are damaged, and nothing
    /// else tells what they held.
    var mayHaveLostMore = false

    /// Whether it is the file that an entry is about, as long as that says.
    func isWhat(_ entry: SegmentEntry) -> Bool {
      guard name.hasSameBytes(as: entry.file), self.entry.firstSequence == entry.firstSequence,
        self.entry.digestBefore == entry.digestBefore
      else { return false }
      switch entry.kind {
      case .active: return self.entry.segment == entry.segment
      case .frozen: return self.entry.segment == entry.segment && end >= entry.end
      case .baseline, .sealed, .salvaged:
        return self.entry.checksum == entry.checksum && self.entry.end == entry.end
      }
    }

    /// The same file up to the end of a frame: what stands behind counts in another segment.
    func cut(at frame: FrameEnd) -> File {
      var file = self
      file.lastSequence = frame.digest.sequence
      file.digestAfter = frame.digest.value
      file.newest = frame.newest
      file.end = frame.end
      file.seed = frame.seed
      file.ownCount = frame.ownCount
      file.frameEnds = []
      file.hasTail = false
      return file
    }
  }

  /// What is known of a segment of frames at the end of one of them.
  struct FrameEnd {
    /// The log digest after its last event.
    var digest: LogDigest
    /// The newest stamp up to there.
    var newest: Stamp?
    /// Where it ends, and its checksum.
    var end: UInt64
    var seed: UInt64
    var ownCount: UInt64
  }
}
