import Foundation
import LedgerFormat
import TaskLedger
import Testing

@Test(arguments: ["tracker-a", "tracker-b"]) func smoke(_ name: String) throws {
  var configuration = LedgerConfiguration()
  configuration.sealEvents = 100
  configuration.extensionBytes = 4096
  let ledger = try Ledger.inMemory(author: "x", configuration: configuration)
  let data = try Data(
    contentsOf: URL(fileURLWithPath: "/work/main/Fixtures/scenarios/\(name).ndjson"))
  var splitter = LineSplitter()
  splitter.append(Array(data)[...])
  splitter.finish()
  let applier = Applier(ledger)
  while let line = try splitter.next() {
    _ = try applier.add(line)
    if line.number % 50 == 0 { try applier.flush() }
  }
  let s = try applier.finish()
  print(s)
  print(ledger.takeNotices())
  let r = try ledger.replay()
  print(r.events, r.tasks, r.digest)
}
