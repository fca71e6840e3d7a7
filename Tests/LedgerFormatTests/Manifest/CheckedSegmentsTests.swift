import LedgerCore
import Testing

@testable import LedgerFormat

@Suite struct `What maintenance has checked` {
  private let checked = CheckedSegments(
    ledger: ReplicaID(high: 1, low: 2),
    entries: [
      .init(file: "a.sealed", checksum: 7, time: LedgerTime(unchecked: 1_700_000_000_000)),
      .init(file: "é.baseline", checksum: .max, time: LedgerTime(unchecked: -5)),
    ])

  @Test func `comes back as it was`() throws {
    #expect(try CheckedSegments(checked.encoded) == checked)
    let empty = CheckedSegments(ledger: checked.ledger)
    #expect(try CheckedSegments(empty.encoded) == empty)
  }

  @Test func `with one wrong bit, or cut short, is refused`() {
    refusedWhenDamaged(checked.encoded) { _ = try CheckedSegments($0) }
  }
}
