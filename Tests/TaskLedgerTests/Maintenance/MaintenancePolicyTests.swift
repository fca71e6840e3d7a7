import TaskLedger
import Testing

/// The text of a policy.
@Suite struct `A maintenance policy` {
  private func read(_ text: String) throws(LedgerError) -> MaintenancePolicy {
    try MaintenancePolicy(parsing: Array(text.utf8))
  }

  @Test func `sets what it says, and leaves the rest at its default`() throws {
    #expect(try read("") == MaintenancePolicy())
    #expect(try read("\n# nothing\n   \n\t# more = 1\n") == MaintenancePolicy())
    let policy = try read(
      "# Nightly.\r\n seal-events=0\r\nverify-percent = 100\n\tmerge-segments =16\nremove-unneeded = no"
    )
    var expected = MaintenancePolicy()
    expected.sealEvents = 0
    expected.verifyPercent = 100
    expected.mergeSegments = 16
    expected.removesUnneeded = false
    #expect(policy == expected)
    #expect(try read("snapshot-events = 9223372036854775807").snapshotEvents == UInt64(Int64.max))
  }

  @Test func `is read as editors of other systems write it`() throws {
    let policy = try read("\u{feff}seal-events = 7\r\n# more\r\n\r\nmerge-segments = 3\r\n")
    #expect(policy.sealEvents == 7 && policy.mergeSegments == 3)
    #expect(try read("\u{feff}") == MaintenancePolicy())
    let error = #expect(throws: LedgerError.self) { _ = try read("\u{feff}seal = 1") }
    #expect(error?.sentence.hasPrefix("line 1: there is no key \"seal\"") == true)
    #expect(throws: LedgerError.self) { try read("seal-events = 1\n\u{feff}") }
  }

  @Test(arguments: [
    ("seal-events", "line 1: expected key = value, found \"seal-events\""),
    ("\n\nseal = 1", "line 3: there is no key \"seal\""),
    ("Seal-events = 1", "line 1: there is no key \"Seal-events\""),
    ("= 1", "line 1: there is no key \"\""),
    ("seal-events = 1\nseal-events = 1", "line 2: seal-events is there twice"),
    ("seal-events = ", "line 1: seal-events is \"\": expected a number from 0 to"),
    ("seal-events = -1", "line 1: seal-events is \"-1\""),
    ("seal-events = +1", "line 1: seal-events is \"+1\""),
    ("seal-events = 1 # often", "line 1: seal-events is \"1 # often\""),
    ("seal-events = 9223372036854775808", "line 1: seal-events is \"9223372036854775808\""),
    ("seal-events = ١", "line 1: seal-events is \"١\""),
    ("verify-percent = 101", "line 1: verify-percent is \"101\": expected a number from 0 to 100"),
    ("remove-unneeded = maybe", "line 1: remove-unneeded is \"maybe\": expected yes or no"),
    ("remove-unneeded = Yes", "line 1: remove-unneeded is \"Yes\": expected yes or no"),
  ])
  func `with a line that says nothing it knows is refused, and the line named`(
    _ text: String, _ start: String
  ) {
    let error = #expect(throws: LedgerError.self) { _ = try read(text) }
    #expect(error?.code == .invalid)
    #expect(error?.message.hasPrefix(start) == true, "\(String(describing: error))")
  }

  @Test func `that is no text, or too long, is refused`() {
    #expect(throws: LedgerError.self) { try MaintenancePolicy(parsing: [0xff, 0xfe]) }
    #expect(throws: LedgerError.self) {
      try MaintenancePolicy(parsing: [UInt8](repeating: 0x0a, count: 1 << 17))
    }
  }
}
