/// The frames of a segment as a value that many views share: appending copies one short chunk and the list of
/// chunks, never all frames.
package struct FrameList: Sendable, Sequence {
  private var chunks: [[FrameRecord]] = []
  package private(set) var count = 0
  /// The bytes of all payloads when decompressed.
  package private(set) var rawByteCount: UInt64 = 0

  /// Chunks grow to as many frames before a new one is started.
  private static let chunkFrames = 64

  package init() {}

  package init(_ frames: [FrameRecord]) { append(frames) }

  package var last: FrameRecord? { chunks.last?.last }

  package mutating func append(_ frames: [FrameRecord]) {
    guard !frames.isEmpty else { return }
    count += frames.count
    for frame in frames { rawByteCount += UInt64(frame.header.rawLength) }
    if let last = chunks.last, last.count + frames.count <= Self.chunkFrames {
      chunks[chunks.count - 1].append(contentsOf: frames)
    } else {
      chunks.append(frames)
    }
  }

  /// The frame at a place.
  ///
  /// - Precondition: the place is less than `count`.
  package subscript(place: Int) -> FrameRecord {
    var rest = place
    for chunk in chunks {
      if rest < chunk.count { return chunk[rest] }
      rest -= chunk.count
    }
    preconditionFailure("there is no frame \(place) of \(count)")
  }

  /// The frames that end after a sequence number; chunks that end before it are passed over.
  package func ending(after sequence: UInt64) -> [FrameRecord] {
    var found: [FrameRecord] = []
    for chunk in chunks.reversed() {
      guard let last = chunk.last, last.header.lastSequence > sequence else { break }
      found.insert(contentsOf: chunk.drop { $0.header.lastSequence <= sequence }, at: 0)
    }
    return found
  }

  package func makeIterator() -> FlattenSequence<[[FrameRecord]]>.Iterator {
    chunks.joined().makeIterator()
  }
}
