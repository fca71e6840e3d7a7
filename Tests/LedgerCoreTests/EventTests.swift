import LedgerCore
import Testing

/// What an event is made of, when two are the same, and how large one is.
struct EventTests {
  private let event = Event(
    sequence: 12,
    stamp: Stamp(time: .earliest, replica: ReplicaID(high: 1, low: 2), count: 3), kind: .update,
    task: "milk", changes: [FieldChange(.body, "Get milk")], author: "Zo\u{eb}",
    message: "caf\u{e9}",
    transaction: 11, endsTransaction: true, recorded: .latest, undoes: 4)

  @Test func `an event equals itself and its copy`() {
    let copy = event
    #expect(copy == event)
    #expect(copy.hashValue == event.hashValue)
    #expect(copy.time == .earliest)
  }

  @Test(
    arguments: [
      { $0.sequence = 13 }, { $0.stamp.count = 4 }, { $0.stamp.time = .latest },
      { $0.kind = .upsert },
      { $0.task = "honey" }, { $0.changes = [] }, { $0.changes[0].value = nil },
      { $0.author = "Zoe\u{308}" }, { $0.message = "cafe\u{301}" }, { $0.message = nil },
      { $0.transaction = 12 }, { $0.endsTransaction = false }, { $0.recorded = .earliest },
      { $0.undoes = nil },
    ] as [@Sendable (inout Event) -> Void])
  func `events that differ in anything differ`(change: @Sendable (inout Event) -> Void) {
    var other = event
    change(&other)
    #expect(other != event)
    #expect(event != other)
  }

  @Test func `there are five kinds and they keep their numbers and names`() {
    #expect(EventKind.allCases.map(\.rawValue) == [0, 1, 2, 3, 4])
    #expect(
      EventKind.allCases.map(\.description) == ["upsert", "update", "toggle", "delete", "evict"])
    for kind in EventKind.allCases { #expect(EventKind(name: kind.description) == kind) }
    for name in ["", "Upsert", "upsert ", "restore", "updatE"] {
      #expect(EventKind(name: name) == nil)
    }
  }

  @Test func `the size of an event is that of author, message and changes in JSON`() {
    var sized = event
    sized.author = "ann"
    sized.message = "a\"b"
    sized.changes = []
    #expect(sized.canonicalSize == #""ann""a\"b"{}"#.utf8.count)
    sized.changes = [FieldChange(.body, "é"), FieldChange(FieldName(unchecked: "a\n.b"), nil)]
    #expect(sized.canonicalSize == #""ann""a\"b"{"body":"é","a\n.b":null}"#.utf8.count)
    sized.message = nil
    #expect(sized.canonicalSize == #""ann"{"body":"é","a\n.b":null}"#.utf8.count)
  }

  @Test func `the limits are those of the format page`() {
    #expect(Limits.idBytesMax == 256)
    #expect(Limits.fieldNameBytesMax == 256)
    #expect(Limits.fieldNameSegmentsMax == 32)
    #expect(Limits.arrayDepthMax == 32)
    #expect(Limits.valueBytesMax == 1_048_576)
    #expect(Limits.eventBytesMax == 4_194_304)
    #expect(Limits.transactionBytesMax == 67_108_864)
    #expect(Limits.futureMillisecondsMax == 86_400_000)
  }
}
