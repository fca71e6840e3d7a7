import LedgerFormat

/// The readable lines of one transaction of a command stream, until they are carried out.
///
/// The first ones are kept as what they ask for, which is all of most transactions. The others are kept as they were read, and are
/// read again, portion by portion, when they are carried out: what a line asks for takes several times its bytes.
struct HeldLines: Sendable {
  /// A line and what it asks for.
  typealias Line = ApplyGroup.Line

  /// Where a line stands that is kept as it was read.
  private struct Place {
    var number: Int
    var chunk: UInt32
    var start: UInt32
    var byteCount: UInt32
  }

  /// The first lines.
  private(set) var first: [Line] = []
  /// The bytes of the others, one behind the other. In chunks, for one that grows would be copied, and take twice as much.
  private var chunks: [[UInt8]] = []
  private var places: [Place] = []

  /// So many lines are kept as what they ask for.
  private static let firstLinesMax = 2048
  /// So many of the others are carried out at a time.
  private static let portionLines = 1 << 15
  /// As long as chunks are, but for one that holds a longer line.
  private static let chunkBytes = 1 << 20

  var count: Int { first.count + places.count }

  /// Adds a line.
  ///
  /// - Parameter command: what it asks for.
  mutating func append(
    number: Int, _ bytes: ArraySlice<UInt8>, _ command: () -> Command
  ) {
    guard first.count >= Self.firstLinesMax else { return first.append((number, command())) }
    if chunks.last.map({ $0.count + bytes.count > Self.chunkBytes }) ?? true {
      chunks.append([])
      chunks[chunks.count - 1].reserveCapacity(max(Self.chunkBytes, bytes.count))
    }
    let place = chunks.count - 1
    places.append(
      Place(
        number: number, chunk: UInt32(place), start: UInt32(chunks[place].count),
        byteCount: UInt32(bytes.count)))
    chunks[place].append(contentsOf: bytes)
  }

  mutating func removeAll() { self = HeldLines() }

  /// Calls the body with the lines, in order, some at a time.
  ///
  /// - Parameter command: what a line asks for.
  func forEachPortion(
    _ command: (ApplyLine) -> Command, _ body: (_ lines: [Line]) throws -> Void
  ) throws {
    try body(first)
    for start in stride(from: 0, to: places.count, by: Self.portionLines) {
      let portion = places[start..<min(places.count, start + Self.portionLines)]
      try body(
        portion.map { place in
          let start = Int(place.start)
          let bytes = chunks[Int(place.chunk)][start..<start + Int(place.byteCount)]
          return (place.number, command(try ApplyLine(bytes, number: place.number)))
        })
    }
  }
}
