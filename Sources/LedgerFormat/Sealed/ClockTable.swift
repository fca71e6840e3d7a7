import LedgerCore

/// When the transactions were recorded whose clock differs from their events' times: such events mostly come in
/// bulk, many under one reading of the clock, so each reading is written once with the sequence number from
/// which it holds.
package struct ClockTable: Sendable {
  private var sequences: [UInt64] = []
  private var times: [LedgerTime] = []
  /// About when the events were made; from version 4 on.
  package var anchors = TimeAnchors()

  package init() {}

  /// Notes an event, in any order.
  mutating func note(sequence: UInt64, recorded: LedgerTime) {
    sequences.append(sequence)
    times.append(recorded)
  }

  /// When the event was recorded; only for events that were noted.
  package func recorded(at sequence: UInt64) -> LedgerTime? {
    let count = sequences.prefixCount { $0 <= sequence }
    return count > 0 ? times[count - 1] : nil
  }

  /// Count, then per change of the clock: difference of sequence numbers, zigzag difference of times; then the anchors.
  var encoded: [UInt8] {
    var body: [UInt8] = []
    var count: UInt64 = 0
    var last: (sequence: UInt64, time: LedgerTime)?
    for index in sequences.indices.sorted(by: { sequences[$0] < sequences[$1] }) {
      if let last, last.time == times[index] { continue }
      body.append(varint: sequences[index] - (last?.sequence ?? 0))
      body.append(zigzag: times[index].milliseconds - (last?.time.milliseconds ?? 0))
      last = (sequences[index], times[index])
      count += 1
    }
    var bytes: [UInt8] = []
    bytes.append(varint: count)
    bytes.append(contentsOf: body)
    bytes.append(anchors: anchors)
    return bytes
  }

  package init(
    _ bytes: [UInt8], eventCount: Int, layout: BlockLayout
  ) throws(LedgerError) {
    var reader = ByteReader(bytes)
    var sequence: UInt64 = 0
    var time: Int64 = 0
    let count = try reader.count(bytesEach: 2)
    guard count <= eventCount else { throw reader.fail("the clock changes \(count) times") }
    sequences.reserveCapacity(count)
    times.reserveCapacity(count)
    for _ in 0..<count {
      let (next, overflow) = sequence.addingReportingOverflow(try reader.varint())
      guard !overflow, next > sequence else {
        throw reader.fail("the sequence numbers of the clocks are not in order")
      }
      sequence = next
      let recorded = try reader.time(relativeTo: time)
      time = recorded.milliseconds
      note(sequence: sequence, recorded: recorded)
    }
    if layout == .version4 { anchors = try reader.anchors() }
    try reader.expectEnd()
  }
}
