import LedgerCore
import Testing

/// Stamps order events: time, then replica, then that replica's count.
struct StampTests {
  private func stamp(_ time: Int64, _ replica: UInt64, _ count: UInt64) -> Stamp {
    Stamp(
      time: LedgerTime(unchecked: time), replica: ReplicaID(high: 0, low: replica), count: count)
  }

  @Test func `time counts first, then the replica, then the count`() {
    let ordered = [
      stamp(-5, 9, 9), stamp(1, 1, 2), stamp(1, 1, 10), stamp(1, 2, 1), stamp(1, .max, 1),
      stamp(2, 1, 1),
    ]
    #expect(ordered.shuffled().sorted() == ordered)
    #expect(!(ordered[0] < ordered[0]))
  }

  @Test func `replicas sort by their sixteen bytes`() {
    let ordered = [
      ReplicaID(high: 0, low: .max), ReplicaID(high: 1, low: 0), ReplicaID(high: 1, low: 1),
      ReplicaID(high: 1 << 63, low: 0),
    ]
    #expect(ordered.shuffled().sorted() == ordered)
    #expect(ordered.map(\.description) == ordered.map(\.description).sorted())
  }

  @Test func `a replica is shown as a UUID in lower case`() {
    #expect(
      ReplicaID(high: 0x0123_4567_89ab_cdef, low: 0xfedc_ba98_7654_3210).description
        == "01234567-89ab-cdef-fedc-ba9876543210")
    #expect(ReplicaID(high: 0, low: 0).description == "00000000-0000-0000-0000-000000000000")
  }

  @Test func `a random replica has the bits of a version 4 UUID`() {
    var generator = SeededGenerator(seed: 7)
    var seen: Set<ReplicaID> = [.random()]
    for _ in 0..<200 {
      let replica = ReplicaID.random(using: &generator)
      #expect(replica.high & 0xf000 == 0x4000)
      #expect(replica.low >> 62 == 0b10)
      #expect(seen.insert(replica).inserted)
    }
  }
}
