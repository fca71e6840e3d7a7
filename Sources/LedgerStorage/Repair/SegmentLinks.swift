import LedgerCore
import LedgerFormat

/// Which files of segments follow each other, from the first event on.
struct SegmentLinks {
  /// A point between two events: the number of the next one, and the log digest before it.
  private struct Point: Hashable {
    var next: UInt64
    var digest: Digest
  }

  /// How far files lead, and whether all of them are whole.
  private struct Reach: Comparable {
    var through: UInt64
    var isWhole: Bool

    static func < (left: Reach, right: Reach) -> Bool {
      left.through == right.through
        ? !left.isWhole && right.isWhole : left.through < right.through
    }
  }

  private(set) var links: [SegmentChain.Link] = []
  private let files: [SegmentInventory.File]
  private let lastStart: UInt64
  /// How far files lead that go on from each point without a gap.
  private var reach: [Point: Reach] = [:]

  /// - Parameter files: all of one ledger.
  init(_ files: [SegmentInventory.File]) {
    let own = files.filter { !Self.isGivenUp($0, files) }
    let files = own + Self.abandoned(own)
    self.files = files
    lastStart = files.map(\.entry.firstSequence).max() ?? 0
    for file in files.sorted(by: { $0.entry.firstSequence > $1.entry.firstSequence })
    where canStand(file) {
      let start = Point(next: file.entry.firstSequence, digest: file.entry.digestBefore)
      reach[start] = max(reach[start] ?? end(file), end(file))
    }
    follow()
  }

  /// Whether another file goes on as if the events of one were lost: they were away when a repair made up the log digest after them,
  /// and no repair has taken them back since.
  private static func isGivenUp(
    _ file: SegmentInventory.File, _ others: [SegmentInventory.File]
  ) -> Bool {
    let first = file.entry.firstSequence
    let starts = others.filter {
      $0.entry.firstSequence > first && $0.entry.firstSequence <= file.lastSequence + 1
        && $0.entry.firstSequence - first <= UInt64(RunWriter.eventCountMax)
    }
    let isFollowed = starts.contains {
      $0.entry.firstSequence == file.lastSequence + 1 && $0.entry.digestBefore == file.digestAfter
    }
    guard !isFollowed, let last = starts.map(\.entry.firstSequence).max() else { return false }
    var digest = file.entry.logDigestBefore
    while digest.sequence + 1 < last {
      digest.append(leaf: .zero)
      let isMet = starts.contains {
        $0.entry.firstSequence == digest.sequence + 1 && $0.entry.digestBefore == digest.value
      }
      if isMet { return true }
    }
    return false
  }

  /// Segments of frames up to where another one goes on: after a failed sync the frames of which nobody knows whether they are durable
  /// are in that, too.
  private static func abandoned(_ files: [SegmentInventory.File]) -> [SegmentInventory.File] {
    let starts = Set(
      files.map { Point(next: $0.entry.firstSequence, digest: $0.entry.digestBefore) })
    return files.flatMap { file in
      file.frameEnds.dropLast().filter {
        starts.contains(Point(next: $0.digest.sequence + 1, digest: $0.digest.value))
      }
      .map(file.cut)
    }
  }

  private mutating func follow() {
    var point = Point(next: 1, digest: .zero)
    while let link = link(at: point) {
      links.append(link)
      guard link.through >= link.file.entry.firstSequence else { return }
      point = Point(next: link.through + 1, digest: link.digestAfter)
    }
  }

  /// The file from which others lead furthest, of these the one that keeps most in the fewest files; else the frames that are damaged there; else the next file.
  private func link(at point: Point) -> SegmentChain.Link? {
    let here = files.filter {
      $0.entry.firstSequence == point.next && $0.entry.digestBefore == point.digest
    }
    if let best = here.filter(canStand).max(by: isWorse) { return SegmentChain.Link(best) }
    let broken = here.compactMap(bounded).max { $0.file.lastSequence < $1.file.lastSequence }
    return broken ?? next(after: point.next)
  }

  private func end(_ file: SegmentInventory.File) -> Reach {
    var end =
      reach[Point(next: file.lastSequence + 1, digest: file.digestAfter)]
      ?? Reach(through: file.lastSequence, isWhole: true)
    end.isWhole = end.isWhole && file.isWhole
    return end
  }

  private func isWorse(_ left: SegmentInventory.File, _ right: SegmentInventory.File) -> Bool {
    end(left) == end(right) ? precedes(left, right) : end(left) < end(right)
  }

  /// Whether it is known what follows a file, or nothing does.
  private func canStand(_ file: SegmentInventory.File) -> Bool {
    file.replica == nil || (file.isWhole && !file.isCut && !file.hasTail)
      || file.entry.firstSequence >= lastStart
  }

  /// Frames that are damaged or cut, up to the segment that follows; nil where none does.
  private func bounded(_ file: SegmentInventory.File) -> SegmentChain.Link? {
    guard !canStand(file) else { return nil }
    let start = max(file.lastSequence, file.entry.firstSequence)
    guard let following = nearest(after: start) else { return nil }
    var link = SegmentChain.Link(file)
    link.isSound = false
    link.through = following.entry.firstSequence - 1
    link.digestAfter = following.entry.digestBefore
    return link
  }

  private func next(after next: UInt64) -> SegmentChain.Link? {
    let later = files.filter { $0.entry.firstSequence > next }
    let first = later.filter { canStand($0) || bounded($0) != nil }
      .map(\.entry.firstSequence).min()
    let starting = later.filter { $0.entry.firstSequence == first }
    return starting.filter(canStand).max(by: isWorse).map { SegmentChain.Link($0) }
      ?? starting.compactMap(bounded).max { $0.file.lastSequence < $1.file.lastSequence }
  }

  private func nearest(after last: UInt64) -> SegmentInventory.File? {
    let later = files.filter { $0.entry.firstSequence > last }
    let first = later.map(\.entry.firstSequence).min()
    return later.filter { $0.entry.firstSequence == first }.max(by: isWorse)
  }

  /// What folded nothing is better, and what folded less: a fold that was never taken leaves its baseline. Then what is longer, of the
  /// same length what is whole, and then what was sealed.
  private func precedes(
    _ left: SegmentInventory.File, _ right: SegmentInventory.File
  ) -> Bool {
    let (leftFolded, rightFolded) = (foldedThrough(left), foldedThrough(right))
    if leftFolded != rightFolded { return leftFolded > rightFolded }
    if left.lastSequence != right.lastSequence { return left.lastSequence < right.lastSequence }
    if left.isWhole != right.isWhole { return right.isWhole }
    return (left.replica == nil ? 1 : 0) < (right.replica == nil ? 1 : 0)
  }

  private func foldedThrough(_ file: SegmentInventory.File) -> UInt64 {
    file.entry.kind == .baseline ? file.lastSequence : 0
  }
}
