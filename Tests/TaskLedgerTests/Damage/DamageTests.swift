import Foundation
import LedgerTestSupport
import TaskLedger
import Testing

/// Every byte of every file of a ledger is damaged in turn. The answer is the same, or what is wrong is reported: never a wrong
/// answer.
///
/// One bit of each byte is flipped; all eight when the environment says `LEDGER_TEST_ALL_BITS=1`.
@Suite struct `When a file is damaged` {
  @Test(arguments: FileKind.allCases)
  func `every flipped bit is found or harmless`(_ kind: FileKind) throws {
    let specimen = try Specimen()
    var tally = Tally()
    for (file, bytes) in kind.files(of: specimen) {
      for offset in bytes.indices {
        for bit in bits(of: offset) {
          var damaged = bytes
          damaged[offset] ^= 1 << bit
          let disk = try specimen.disk(with: file, damaged)
          let context: Comment = "bit \(bit) of byte \(offset) of \(file)"
          tally.add(try outcome(disk, specimen, file, offset, context))
        }
      }
    }
    print("flipped bits in \(kind) files: \(tally)")
  }

  @Test(arguments: FileKind.allCases)
  func `every cut is found or harmless`(_ kind: FileKind) throws {
    let specimen = try Specimen()
    var tally = Tally()
    for (file, bytes) in kind.files(of: specimen) {
      for length in bytes.indices {
        let disk = try specimen.disk(with: file, Array(bytes[..<length]))
        let context: Comment = "\(file) cut to \(length) bytes"
        let found = try outcome(disk, specimen, file, length, context)
        // The length was synced before what was lost was written.
        #expect(found != .tail, context)
        tally.add(found)
      }
    }
    print("cuts of \(kind) files: \(tally)")
  }

  @Test func `every missing file is found or not needed`() throws {
    let specimen = try Specimen()
    for file in specimen.files.keys.sorted() {
      let disk = try specimen.disk(with: file, nil)
      let found = try outcome(disk, specimen, file, 0, "\(file) is missing")
      let isNeeded = file != "LOCK" && !file.hasPrefix("aside/")
      #expect((found == .reported) == isNeeded, "\(file) is missing: \(found)")
    }
  }

  private func bits(of offset: Int) -> [Int] {
    let all = ProcessInfo.processInfo.environment["LEDGER_TEST_ALL_BITS"] == "1"
    // Over the bytes of a file every bit has its turn.
    return all ? Array(0..<8) : [offset &* 2_654_435_761 >> 13 & 7]
  }

  /// What a ledger answers with a file damaged from an offset on; records what must not be.
  private func outcome(
    _ disk: TestDisk, _ specimen: Specimen, _ file: String, _ offset: Int, _ context: Comment
  ) throws -> Outcome {
    let before = disk.files
    let outcome = Outcome(disk, specimen.answer)
    #expect(outcome != .wrong, context)
    if file == specimen.disk.activeFile && offset < specimen.end {
      #expect(outcome == .reported, "\(context), which had been synced: \(outcome)")
    }
    if outcome == .reported { try expectUntouched(disk, before, context) }
    expectVerified(disk, outcome, context)
    return outcome
  }

  /// Neither the attempt to read nor one to write moves anything.
  private func expectUntouched(
    _ disk: TestDisk, _ before: [String: [UInt8]], _ context: Comment
  ) throws {
    let afterReading = disk.files
    #expect((afterReading == before), context)
    do {
      try disk.open().upsert(TaskItem(body: "on top of damage"))
    } catch {
      // A missing LOCK is made.
      let moved = disk.files.filter { $0.key != "LOCK" && before[$0.key] != $0.value }.keys.sorted()
      #expect(moved == [], context)
      #expect(disk.files.count >= before.count, context)
    }
  }

  private func expectVerified(_ disk: TestDisk, _ outcome: Outcome, _ context: Comment) {
    let files: [Verification.File]
    do {
      files = try disk.verify().files
    } catch {
      #expect(outcome == .reported, "\(context): \(error)")
      return
    }
    let isDamaged = files.contains { $0.fault != nil }
    let isTorn = files.contains { if case .tornTail = $0.status { true } else { false } }
    switch outcome {
    case .reported: #expect(isDamaged, "\(context): verify finds nothing")
    case .tail: #expect(isTorn, "\(context): verify finds no torn tail")
    case .same, .wrong: break
    }
  }
}

/// The files of a ledger by what they are for.
enum FileKind: CaseIterable, Sendable {
  case current, manifest, sealed, frozen, active, other

  func files(of specimen: Specimen) -> [(name: String, bytes: [UInt8])] {
    specimen.files.filter { Self.kind(of: $0.key, specimen) == self }
      .sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  private static func kind(of file: String, _ specimen: Specimen) -> FileKind {
    if file == "CURRENT" { return .current }
    if file.hasPrefix("MANIFEST-") { return .manifest }
    if file.hasSuffix(".sealed") { return .sealed }
    if file == specimen.disk.activeFile { return .active }
    return file.hasSuffix(".active") ? .frozen : .other
  }
}

/// What a damaged ledger answers.
private enum Outcome {
  /// The same as before.
  case same
  /// An error that says what is wrong.
  case reported
  /// The same without the last transaction, of which nothing proves that it was synced, and a notice.
  case tail
  /// Anything else.
  case wrong

  init(_ disk: TestDisk, _ expected: Answer) {
    do throws(LedgerError) {
      let answer = try Answer(disk)
      if answer.isSame(as: expected) {
        self = .same
      } else {
        self = answer.isWithoutLastTransaction(of: expected) ? .tail : .wrong
      }
    } catch {
      self = error.code == .damaged ? .reported : .wrong
    }
  }
}

/// How often each outcome was met.
private struct Tally: CustomStringConvertible {
  private var counts: [Outcome: Int] = [:]

  mutating func add(_ outcome: Outcome) { counts[outcome, default: 0] += 1 }

  var description: String {
    "\(counts[.reported] ?? 0) reported, \(counts[.same] ?? 0) harmless, \(counts[.tail] ?? 0) torn tails"
  }
}
