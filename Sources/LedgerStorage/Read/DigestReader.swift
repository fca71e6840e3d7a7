import LedgerCore
import LedgerFormat

/// Works out the log digest at one event after another, for who goes on through the log. For the digest at a single event, or none where
/// events before it are lost, there is ``LogView/logDigest(at:)``, which decodes no more than it hashes.
///
/// Each event is read once while the positions ascend; a segment's end that the manifest knows is taken from there.
package struct DigestReader: Sendable {
  /// The digest, and the event that it is of.
  package private(set) var digest = LogDigest.empty
  /// Whether it is that of all events: false where some before it, in its segment, are lost.
  package private(set) var isExact = true
  private var reader = EventReader(after: 0)

  package init() {}

  /// Stands at an event whose digest is known.
  package init(at digest: LogDigest) {
    self.digest = digest
    reader = EventReader(after: digest.sequence)
  }

  /// Goes to an event of a view that is not before the horizon.
  package mutating func move(to sequence: UInt64, in view: LogView) throws(LedgerError) {
    let nearest = view.manifest.nearestDigest(before: sequence)
    if digest.sequence > sequence || digest.sequence < nearest.sequence {
      digest = nearest
      isExact = true
      reader = EventReader(after: nearest.sequence)
    }
    var scratch: [UInt8] = []
    while digest.sequence < sequence, let event = try reader.next(in: view) {
      passLost(upTo: min(event.sequence - 1, sequence))
      if event.sequence <= sequence { digest.append(event, scratch: &scratch) }
    }
    passLost(upTo: sequence)
    if reader.position != sequence { reader = EventReader(after: sequence) }
  }

  /// Of a lost event nothing is left that could be hashed.
  private mutating func passLost(upTo sequence: UInt64) {
    while digest.sequence < sequence {
      digest.append(leaf: .zero)
      isExact = false
    }
  }
}

extension Manifest {
  /// The digest at the last end of a segment that does not come after an event.
  fileprivate func nearestDigest(before sequence: UInt64) -> LogDigest {
    var nearest = LogDigest.empty
    for entry in segments {
      if entry.kind != .baseline, entry.firstSequence - 1 <= sequence {
        nearest = entry.logDigestBefore
      }
      if entry.kind != .active, entry.lastSequence <= sequence {
        nearest = entry.logDigestAfter
      }
    }
    return nearest
  }
}
