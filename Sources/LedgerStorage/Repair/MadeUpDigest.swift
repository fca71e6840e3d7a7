import LedgerCore
import LedgerFormat

/// The log digests that a repair would have made up after the events of a file, with zeros for some of them.
///
/// Where the list of files was lost after that repair, no record says that a digest is made up. What is lost at a time is mostly the
/// end of a segment, or a range within it.
struct MadeUpDigest {
  /// Of longer files only the end is tried, and of still longer ones nothing: each try costs as many hashes as there are events.
  private static let rangeEventsMax = 128
  private static let endEventsMax = 2048

  private let before: LogDigest
  private let leaves: [Digest]

  /// - Parameters:
  ///   - events: those of the file, in order.
  ///   - last: the one after which a digest is known.
  init(_ entry: SegmentEntry, _ events: [Event], through last: UInt64) {
    before = entry.logDigestBefore
    let covered = events.prefix { $0.sequence <= last }
    let isWhole =
      last >= entry.firstSequence && covered.count <= Self.endEventsMax
      && UInt64(covered.count) == last - entry.firstSequence + 1
    var scratch: [UInt8] = []
    leaves = isWhole ? covered.map { EventDigest.leaf($0, scratch: &scratch) } : []
  }

  /// The log digest that is made up where every event after another is lost; nil where those are too many to try.
  static func zeros(after end: LogDigest, through last: UInt64) -> Digest? {
    guard last > end.sequence, last - end.sequence <= endEventsMax else { return nil }
    var digest = end
    for _ in end.sequence..<last { digest.append(leaf: .zero) }
    return digest.value
  }

  /// Whether a log digest is one of them.
  func isOne(_ value: Digest) -> Bool {
    var digest = before
    for start in leaves.indices {
      if isOne(value, after: digest, zerosFrom: start) { return true }
      digest.append(leaf: leaves[start])
    }
    return false
  }

  private func isOne(_ value: Digest, after known: LogDigest, zerosFrom start: Int) -> Bool {
    var zeroed = known
    for end in start..<leaves.count {
      zeroed.append(leaf: .zero)
      guard leaves.count <= Self.rangeEventsMax || end == leaves.count - 1 else { continue }
      var digest = zeroed
      for leaf in leaves[(end + 1)...] { digest.append(leaf: leaf) }
      if digest.value == value { return true }
    }
    return false
  }
}
