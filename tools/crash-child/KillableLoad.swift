import Foundation
import LedgerFormat
import TaskLedger

/// A bulk load of the lines of a file, as `ledger apply --continue` does it, but with small segments.
struct KillableLoad {
  private let ledger: Ledger
  private let lines: [LineSplitter.Line]
  /// After so many lines the stream pauses; nil: never.
  private let pause: Int?

  /// - Parameters:
  ///   - skipped: as many lines of the file are left out: they are in.
  ///   - seed: chooses sizes.
  init(folder: String, file: String, skipped: Int, seed: UInt64) throws {
    var configuration = LedgerConfiguration()
    configuration.sealEvents = [300, 1000, 3000][Int(seed % 3)]
    configuration.snapshotEvents = 1000
    configuration.extensionBytes = 1 << 16
    configuration.sealsInBackground = true
    configuration.tidiesWhileSealing = false
    ledger = try Ledger.open(at: folder, author: "child \(seed)", configuration: configuration)
    var splitter = LineSplitter()
    splitter.append([UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))[...])
    splitter.finish()
    var lines: [LineSplitter.Line] = []
    while let line = try splitter.next() { lines.append(line) }
    self.lines = Array(lines.dropFirst(skipped))
    // Some take lines as a file has them, thousands at a time; others as they come out of a pipe.
    pause = [nil, 700, 150][Int(seed / 3 % 3)]
  }

  /// Loads them, and says after each group how many events are in; then does what a load leaves for its end.
  func run() throws {
    let applier = Applier(ledger, continues: true)
    var said = 0
    func sayWhatIsIn() {
      guard applier.summary.events > said else { return }
      said = applier.summary.events
      Self.say("@load")
      Self.say("\(said)")
    }
    Self.say("@load")
    for (place, line) in lines.enumerated() {
      _ = try applier.add(line)
      if let pause, place % pause == pause - 1 { try applier.flush() }
      sayWhatIsIn()
    }
    _ = try applier.finish()
    sayWhatIsIn()
    Self.say("@finish")
    try ledger.finishLoad(isLong: true)
    Self.say("@loaded")
  }

  private static func say(_ line: String) {
    print(line)
    fflush(nil)
  }
}
