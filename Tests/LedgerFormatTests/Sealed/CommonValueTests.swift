import LedgerCore
import Testing

@testable import LedgerFormat

/// Which values a sealed segment writes once.
@Suite struct `Values that are common` {
  private func event(_ sequence: UInt64, _ body: String, message: String? = nil) -> Event {
    let time = LedgerTime(unchecked: 1)
    return Event(
      sequence: sequence,
      stamp: Stamp(time: time, replica: ReplicaID(high: 0, low: 1), count: sequence), kind: .update,
      task: "t", changes: [FieldChange(.body, .text(body))], author: "ann", message: message,
      transaction: sequence, endsTransaction: true, recorded: time)
  }

  @Test func `are found among more others than memory holds`() {
    var counter = CommonValueCounter()
    // Each of the others takes some hundred bytes: together they are more than is kept.
    for sequence in 1...400_000 as ClosedRange<UInt64> {
      let isCommon = sequence % 100 == 0
      counter.note(event(sequence, isCommon ? "common" : "other \(sequence)"))
    }
    #expect(counter.common.values == [.text("common")])
  }

  @Test func `are those that occur four times, the most frequent first, and 4,096 at most`() {
    var counter = CommonValueCounter()
    for round in 0..<5 as Range<UInt64> {
      for number in 0..<5000 as Range<UInt64> where round < 4 || number == 4999 {
        counter.note(event(round * 5000 + number + 1, "value \(number)"))
      }
    }
    for _ in 0..<3 { counter.note(event(1, "rare")) }
    let values = counter.common.values
    #expect(values.count == 4096 && values.first == "value 4999")
    #expect(!values.contains("rare"))
  }
}
