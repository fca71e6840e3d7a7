import Foundation
import LedgerFormat
import LedgerTestSupport
import Testing

/// Every byte of what maintenance leaves is damaged in turn: each part of the answer is the same, or the damage is reported.
///
/// Without `LEDGER_TEST_ALL_BITS=1` some bytes of each file, one bit each. Of the blocks of a salvaged segment, which are long, some
/// bytes in any case.
@Suite struct `When a file that maintenance leaves is damaged` {
  /// What `DamageTests` damages.
  private static let damagedElsewhere: Set<FileHeader.Kind> = [
    .current, .manifest, .active, .sealed,
  ]
  private static let damagedHere: Set<FileHeader.Kind> = [
    .baseline, .snapshot, .checkpoint, .salvaged, .verifyPosition,
  ]
  private static let isThorough =
    ProcessInfo.processInfo.environment["LEDGER_TEST_ALL_BITS"] == "1"

  @Test func `there is no kind of file that no test damages`() throws {
    // Whoever adds a kind of file damages it, too.
    #expect(
      Self.damagedElsewhere.union(Self.damagedHere) == Set(FileHeader.Kind.allCases))
    func kinds(_ files: [String: [UInt8]]) -> Set<FileHeader.Kind> {
      Set(files.values.compactMap(AgedSpecimen.kind))
    }
    #expect(kinds(try Specimen().files) == Self.damagedElsewhere)
    let aged = kinds(try AgedSpecimen(isSalvaged: false).files)
      .union(kinds(try AgedSpecimen(isSalvaged: true).files))
    #expect(aged.isSuperset(of: Self.damagedHere))
  }

  @Test(arguments: ["baseline", "snapshot", "checkpoint", "verifyPosition", "salvaged"])
  func `the answer is the same, or the damage is reported`(_ kindName: String) throws {
    let specimen = try AgedSpecimen(isSalvaged: kindName == "salvaged")
    #expect(specimen.answer.otherErrors == [])
    var (flips, cuts, reported) = (0, 0, 0)
    func check(_ name: String, _ bytes: [UInt8], _ what: String) throws {
      let disk = specimen.disk.processKilled()
      try disk.overwrite(name, with: bytes)
      let answer = try AgedAnswer(disk)
      #expect(answer.isNowhereWrong(beside: specimen.answer), "\(what) of \(name)")
      #expect(answer.otherErrors == [], "\(what) of \(name)")
      #expect(answer.isWhole || answer.reportsDamage, "\(what) of \(name)")
      if answer.reportsDamage { reported += 1 }
    }
    for (name, bytes) in specimen.files.sorted(by: { $0.key < $1.key })
    where AgedSpecimen.kind(of: bytes).map({ "\($0)" }) == kindName {
      for offset in places(bytes.count) {
        for bit in Self.isThorough ? 0..<8 : offset % 8..<offset % 8 + 1 {
          var damaged = bytes
          damaged[offset] ^= 1 << UInt8(bit)
          try check(name, damaged, "bit \(bit) of byte \(offset)")
          flips += 1
        }
        try check(name, Array(bytes[..<offset]), "the first \(offset) bytes")
        cuts += 1
      }
    }
    #expect(flips > 0)
    print("\(kindName): \(flips) flipped bits, \(cuts) cuts, \(reported) reported")
  }

  /// All bytes of a short file when told to, else some; of a long one its ends, and some in between.
  private func places(_ count: Int) -> [Int] {
    guard Self.isThorough else {
      return Array(stride(from: 0, to: count, by: max(1, count / 12)))
    }
    guard count > 20_000 else { return Array(0..<count) }
    return Array(0..<64) + Array(stride(from: 64, to: count - 500, by: 997))
      + Array(count - 500..<count)
  }
}
