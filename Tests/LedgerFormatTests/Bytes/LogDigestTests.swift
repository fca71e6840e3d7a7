import LedgerCore
import Testing

@testable import LedgerFormat

/// The log digest against one computed from the words of the rule: bytes put one after the other.
@Suite struct `The log digest` {
  private func littleEndian(_ number: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(number / (1 << (8 * UInt64($0))) % 256) }
  }

  private func varint(_ number: UInt64) -> [UInt8] {
    number < 128 ? [UInt8(number)] : [UInt8(number % 128 + 128)] + varint(number / 128)
  }

  private func text(_ text: String) -> [UInt8] {
    varint(UInt64(text.utf8.count)) + Array(text.utf8)
  }

  private func value(_ value: Value?) -> [UInt8] {
    switch value {
    case nil: [0]
    case .bool(let flag): [flag ? 2 : 1]
    case .int(let number):
      [3] + varint(number < 0 ? UInt64(-(number + 1)) * 2 + 1 : UInt64(number) * 2)
    case .double(let number): [4] + littleEndian(number.bitPattern)
    case .text(let words): [5] + text(words)
    case .array(let values): [6] + varint(UInt64(values.count)) + values.flatMap(self.value)
    }
  }

  private func content(_ event: Event) -> [UInt8] {
    let kinds: [EventKind: UInt8] = [.upsert: 0, .update: 1, .toggle: 2, .delete: 3, .evict: 4]
    let changes = event.changes.flatMap { text($0.name.text) + value($0.value) }
    return [kinds[event.kind] ?? 255] + text(event.task.text)
      + varint(UInt64(event.changes.count)) + changes
  }

  private func metadata(_ event: Event) -> [UInt8] {
    let replica = event.stamp.replica.description.filter { $0 != "-" }
    let digits = Array(replica.utf8)
    let id = stride(from: 0, to: 32, by: 2).map {
      UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16) ?? 0
    }
    return littleEndian(event.sequence) + littleEndian(UInt64(bitPattern: event.time.milliseconds))
      + id + littleEndian(event.stamp.count) + littleEndian(event.transaction)
      + [event.endsTransaction ? 1 : 0]
      + littleEndian(UInt64(bitPattern: event.recorded.milliseconds)) + text(event.author)
      + (event.message.map { [1] + text($0) } ?? [0]) + varint(event.undoes ?? 0)
  }

  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func `is that of metadata and content put one after the other`(seed: UInt64) {
    var history = RandomHistory(seed: seed)
    var log = LogDigest.empty
    var expected = [UInt8](repeating: 0, count: 32)
    var scratch: [UInt8] = [1, 2, 3]
    for event in history.events(30) {
      log.append(event, scratch: &scratch)
      let leaf = Digest(of: metadata(event) + Digest(of: content(event)).bytes)
      expected = Digest(of: expected + leaf.bytes).bytes
      #expect(log.value.bytes == expected && log.sequence == event.sequence)
    }
  }

  @Test func `starts with 32 zero bytes`() {
    #expect(LogDigest.empty.value.bytes == [UInt8](repeating: 0, count: 32))
    #expect(LogDigest.empty.sequence == 0)
  }

  @Test func `depends on everything that an event says`() {
    var history = RandomHistory(seed: 3)
    let event = history.events(1)[0]
    var others: [Event] = []
    func other(_ change: (inout Event) -> Void) {
      var changed = event
      change(&changed)
      others.append(changed)
    }
    other { $0.sequence += 1 }
    other { $0.stamp.time = LedgerTime(unchecked: event.time.milliseconds + 1) }
    other { $0.stamp.replica = ReplicaID(high: 1, low: 1) }
    other { $0.stamp.count += 1 }
    other { $0.kind = event.kind == .update ? .upsert : .update }
    other { $0.task = "another" }
    other { $0.changes.append(FieldChange(FieldName(unchecked: "zzz"), nil)) }
    other { $0.author += "x" }
    other { $0.message = $0.message.map { $0 + "x" } ?? "" }
    other { $0.transaction += 1 }
    other { $0.endsTransaction.toggle() }
    other { $0.recorded = LedgerTime(unchecked: event.recorded.milliseconds + 1) }
    other { $0.undoes = ($0.undoes ?? 0) &+ 1 }
    let digests = ([event] + others).map { TestRun.digest(of: [$0]) }
    #expect(Set(digests).count == others.count + 1)
  }

  @Test func `has SHA-256 right`() {
    #expect(
      Digest(of: Array("abc".utf8)).hex
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(
      Digest(of: []).hex == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    #expect(checksum(of: Array("abc".utf8)) == 0xeacf_018f_bf16_78ba)
  }
}
