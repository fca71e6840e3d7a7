import LedgerCore
import Testing

@testable import LedgerFormat

@Suite struct `A manifest` {
  /// A manifest of three segments, one of each kind, and two records.
  static func manifest(_ change: (inout Manifest) -> Void = { _ in }) -> Manifest {
    let digests = (0...2).map { $0 == 0 ? Digest.zero : Digest(of: [UInt8($0)]) }
    let stamp = Stamp(
      time: LedgerTime(unchecked: 1_700_000_000_000), replica: ReplicaID(high: 5, low: 6), count: 9)
    var manifest = Manifest(
      ledger: ReplicaID(high: 1, low: 2), number: 12, replica: ReplicaID(high: 5, low: 6),
      segments: [
        SegmentEntry(
          kind: .sealed, file: "one.sealed", segment: 0, firstSequence: 1, eventCount: 8192,
          end: 123_457, checksum: 1, digestBefore: digests[0], digestAfter: digests[1], ownCount: 7,
          newest: stamp),
        SegmentEntry(
          kind: .frozen, file: "two.active", segment: 77, firstSequence: 8193, eventCount: 2,
          end: 504, checksum: 2, digestBefore: digests[1], digestAfter: digests[2], ownCount: 8,
          newest: stamp),
        SegmentEntry(
          kind: .active, file: "three.active", segment: 78, firstSequence: 8195, eventCount: 0,
          end: 112, checksum: 3, digestBefore: digests[2], digestAfter: digests[2], ownCount: 8,
          newest: nil),
      ],
      records: [
        MaintenanceRecord(kind: "created", follows: 0, time: stamp.time),
        MaintenanceRecord(
          kind: "something later versions do", follows: 8194, time: stamp.time,
          details: [.init("why", "\u{1f600}"), .init("", "")]),
      ])
    change(&manifest)
    return manifest
  }

  @Test func `comes back as it was, records of unknown kinds too`() throws {
    let manifest = Self.manifest()
    #expect(try Manifest(manifest.encoded) == manifest)
    #expect(manifest.active.file == "three.active" && manifest.lastFixedSequence == 8194)
  }

  @Test(arguments: 1...30 as ClosedRange<UInt64>)
  func `of many segments and records comes back as it was`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var manifest = Self.manifest { $0.segments = [] }
    var next: UInt64 = 1
    var digest = Digest.zero
    let count = Int.random(in: 1...40, using: &generator)
    for place in 0..<count {
      let isLast = place == count - 1
      let kind: SegmentEntry.Kind = isLast ? .active : place < count / 2 ? .sealed : .frozen
      let events = isLast ? 0 : UInt64.random(in: 1...1 << 40, using: &generator)
      let after = isLast ? digest : Digest(of: [UInt8(place)])
      let stamp = Stamp(
        time: LedgerTime(unchecked: Int64.random(in: 0..<1 << 47, using: &generator)),
        replica: .random(using: &generator), count: generator.next())
      manifest.segments.append(
        SegmentEntry(
          kind: kind, file: "\(place)", segment: generator.next(), firstSequence: next,
          eventCount: events, end: 112 + 8 * UInt64.random(in: 0..<1 << 50, using: &generator),
          checksum: generator.next(), digestBefore: digest, digestAfter: after,
          ownCount: generator.next() >> 1, newest: isLast ? nil : stamp))
      next += events
      digest = after
    }
    #expect(try Manifest(manifest.encoded) == manifest)
  }

  @Test func `with one wrong bit, or cut short, is refused`() {
    refusedWhenDamaged(Self.manifest().encoded) { _ = try Manifest($0) }
  }

  @Test func `with bytes left over is refused`() {
    refused { try Manifest(Self.manifest().encoded + [0]) }
  }

  @Test func `that breaks an invariant is refused in words`() {
    let broken: [(String, (inout Manifest) -> Void)] = [
      ("the manifest names no active segment", { $0.segments.removeLast() }),
      ("the manifest names no active segment", { $0.segments = [] }),
      ("there is no manifest 0", { $0.number = 0 }),
      ("there is no manifest 18446744073709551615", { $0.number = .max }),
      ("one.sealed starts at 2, expected 1", { $0.segments[0].firstSequence = 2 }),
      ("three.active starts at 0, expected 8195", { $0.segments[2].firstSequence = 0 }),
      ("two.active does not continue the log digest", { $0.segments[1].digestBefore = .zero }),
      ("three.active is out of order", { $0.segments.insert($0.segments[2], at: 2) }),
      ("sequence numbers overflow", { $0.segments[1].eventCount = .max }),
      ("sequence numbers overflow", { $0.segments[1].eventCount = UInt64(Int64.max) }),
      (
        "the lost segment of events 18446744073709551612 to 95 starts at 18446744073709551612, expected 1",
        { $0.segments[0] = Self.lost(first: .max - 3, events: 100) }
      ),
      (
        "the lost segment of events 0 to 18446744073709551615 starts at 0, expected 1",
        { $0.segments[0] = Self.lost(first: 0, events: 0) }
      ),
      ("one.sealed holds no events", { $0.segments[0].newest = nil }),
      ("three.active is active and says how it ends", { $0.segments[2].eventCount = 1 }),
      ("three.active is active and says how it ends", { $0.segments[2].digestAfter = .zero }),
      ("two.active has impossible numbers", { $0.segments[1].end = 104 }),
      ("two.active has impossible numbers", { $0.segments[1].end = 505 }),
      ("one.sealed has impossible numbers", { $0.segments[0].end = .max }),
      ("one.sealed has impossible numbers", { $0.segments[0].ownCount = .max }),
    ]
    for (sentence, change) in broken {
      #expect(refused { try Manifest(Self.manifest(change).encoded) } == sentence)
    }
  }

  /// The entry of a segment that has no file.
  private static func lost(first: UInt64, events: UInt64) -> SegmentEntry {
    SegmentEntry(
      kind: .sealed, file: "", segment: 0, firstSequence: first, eventCount: events, end: 0,
      checksum: 0, digestBefore: .zero, digestAfter: .zero, ownCount: 0, newest: nil)
  }

  @Test func `may begin with a baseline, and then asks for a reader of version 2`() throws {
    let folded = Self.manifest { $0.segments[0].kind = .baseline }
    #expect(try Manifest(folded.encoded) == folded)
    #expect(folded.encoded[8...11].elementsEqual([2, 0, 2, 0]))
    #expect(Self.manifest().encoded[8...11].elementsEqual([1, 0, 1, 0]))
    let second = Self.manifest { $0.segments[1].kind = .baseline }
    #expect(refused { try Manifest(second.encoded) } == "two.active is out of order")
  }

  @Test(arguments: ["", "..", ".hidden", "a/b", "/etc/passwd", "a\u{0}b", "a\nb", "\u{2e}\u{301}x"])
  func `names no file outside its folder`(name: String) {
    #expect(
      refused { try Manifest(Self.manifest { $0.segments[0].file = name }.encoded) }
        == "\"\(name)\" is no name of a segment")
  }

  /// The manifest's bytes with others in a place, and the checksum that fits.
  private func forged(_ change: (inout [UInt8]) -> Void) -> [UInt8] {
    var bytes = Array(Self.manifest().encoded.dropLast(8))
    change(&bytes)
    bytes.append(u64: checksum(of: bytes))
    return bytes
  }

  @Test func `with a segment of an unknown kind asks for a newer version`() {
    #expect(
      refused(.unsupported) { try Manifest(forged { $0[57] = 7 }) }
        == "a segment has the kind 7, which this version does not know")
  }

  /// The manifest with a salvaged segment in the place of the first.
  private static func salvaged(_ change: (inout SegmentEntry) -> Void = { _ in }) -> Manifest {
    manifest { manifest in
      manifest.segments[0].kind = .salvaged
      manifest.segments[0].lost = SequenceRanges([1...1, 3...17, 8192...8192])
      change(&manifest.segments[0])
    }
  }

  @Test func `names the events that are lost, and then asks for a reader of version 3`() throws {
    let salvaged = Self.salvaged()
    #expect(try Manifest(salvaged.encoded) == salvaged)
    #expect(salvaged.encoded[8...11].elementsEqual([3, 0, 3, 0]))
    #expect(salvaged.lost == SequenceRanges([1...1, 3...17, 8192...8192]))
    let all = Self.salvaged { entry in
      entry.lost = SequenceRanges(1...8192)
      (entry.file, entry.end, entry.checksum) = ("", 0, 0)
    }
    #expect(try Manifest(all.encoded) == all)
    let returned = Self.salvaged { $0.lost = SequenceRanges() }
    #expect(try Manifest(returned.encoded) == returned && returned.lost.isEmpty)
    #expect(returned.encoded[8...11].elementsEqual([4, 0, 4, 0]))
    let baseline = Self.salvaged { $0.kind = .baseline }
    #expect(try Manifest(baseline.encoded) == baseline)
    #expect(baseline.encoded[8...11].elementsEqual([3, 0, 3, 0]))
  }

  @Test func `loses nothing that a segment cannot have held`() {
    let wrong: [(inout SegmentEntry) -> Void] = [
      { ($0.file, $0.lost) = ("", SequenceRanges()) }, { $0.lost = SequenceRanges(8192...8193) },
      { $0.lost = SequenceRanges(1...8192) }, { $0.file = "" },
      { ($0.file, $0.lost, $0.checksum) = ("", SequenceRanges(1...8192), 0) },
      { $0.kind = .sealed },
    ]
    for change in wrong { #expect(!Self.salvaged(change).brokenInvariants.isEmpty) }
  }

  @Test func `tells lost events in one way only`() {
    // The ranges stand at the end of the first entry: 3, then gaps and lengths.
    let honest = Self.salvaged { $0.lost = SequenceRanges([1...1, 3...3, 5...5]) }
    let bytes = honest.encoded
    let pattern: [UInt8] = [3, 1, 0, 2, 0, 2, 0]
    let place = bytes.indices.dropLast(pattern.count).first {
      bytes[$0..<$0 + pattern.count].elementsEqual(pattern)
    }
    guard let place else {
      Issue.record("the ranges are not where they were expected")
      return
    }
    for (offset, value) in [(0, 0), (1, 0), (3, 0), (3, 1)] as [(Int, UInt8)] {
      var forged = Array(bytes.dropLast(8))
      forged[place + offset] = value
      forged.append(u64: checksum(of: forged))
      refused { try Manifest(forged) }
    }
  }

  @Test func `that claims more segments than it has is refused before memory is asked for`() {
    for count in [1 << 20, UInt64(Int64.max), .max] {
      refused {
        try Manifest(
          forged { bytes in
            bytes.removeSubrange(56...)
            bytes.append(varint: count)
            bytes.append(contentsOf: [1, 1, 1])
          })
      }
    }
  }
}
