import LedgerCore
import Testing

@testable import LedgerCommands

/// Takes some bytes, then fails.
private final class FailingSink: ByteSink {
  private var room: Int
  private let failure: WriteFailure
  private(set) var taken = 0
  private(set) var calls = 0

  init(room: Int, _ failure: WriteFailure) {
    self.room = room
    self.failure = failure
  }

  func write(_ bytes: [UInt8]) throws(WriteFailure) {
    calls += 1
    guard bytes.count <= room else { throw failure }
    room -= bytes.count
    taken += bytes.count
  }
}

@Suite struct `Writing output` {
  private static let full = WriteFailure.failed(
    LedgerError(.io, "cannot write to standard output", cause: "No space left on device"))

  @Test func `a full disk is an error of input and output`() throws {
    let world = try TestWorld()
    world.run("init")
    world.run("add", "Milk")
    world.outputSink = FailingSink(room: 0, Self.full)
    for arguments in [
      ["list"], ["--json", "log"], ["replay"], ["--help"], ["--version"], ["stats"],
    ] {
      let result = world.run(arguments)
      #expect(result.exit == 74, "\(arguments)")
      #expect(result.errors.contains("cannot write to standard output"))
    }
  }

  @Test func `a change whose report cannot be written is in all the same`() throws {
    let world = try TestWorld()
    world.run("init")
    world.outputSink = FailingSink(room: 0, Self.full)
    #expect(world.run("add", "Milk").exit == 74)
    world.outputSink = nil
    #expect(world.run("list").output == "task-1\topen\tMilk\n")
  }

  @Test func `a reader who leaves ends the work without a word`() throws {
    let world = try TestWorld()
    world.run("init")
    let lines = (1...3000).map { "{\"kind\":\"upsert\",\"set\":{\"body\":\"task \($0)\"}}\n" }
    world.input = Array(lines.joined().utf8)
    world.run("apply", "-")
    for arguments in [
      ["log"], ["--json", "log"], ["list"], ["--json", "list"], ["replay", "--tasks"],
    ] {
      let sink = FailingSink(room: 70_000, .readerLeft)
      world.outputSink = sink
      let result = world.run(arguments)
      #expect(result.exit == 0, "\(arguments)")
      #expect(!result.errors.contains("ledger:"))
      // One write that fails, and none after it.
      #expect(sink.calls <= 2, "\(arguments)")
    }
  }

  @Test func `a reader who leaves does not make a damaged ledger sound`() throws {
    let world = try TestWorld()
    world.run("init")
    try world.write("nonsense", to: ".ledger/CURRENT")
    world.outputSink = FailingSink(room: 0, .readerLeft)
    #expect(world.run("verify").exit == 65)
  }

  @Test func `texts for people are escaped, machine output only on a terminal`() {
    for isTerminal in [false, true] {
      let collector = Collector()
      let output = Output(OutputTarget(sink: collector, isTerminal: isTerminal))
      output.line(output.shown("a\u{1b}[31m\u{202e}"))
      output.machine(Array("\"\u{202e}\u{7f}\"\n".utf8))
      output.flush()
      let machine = isTerminal ? "\"\\u202e\\u007f\"\n" : "\"\u{202e}\u{7f}\"\n"
      #expect(collector.text == "a\\u{1b}[31m\\u{202e}\n" + machine)
    }
  }
}

@Suite struct `Progress` {
  @Test func `is shown after a second, now and then, and taken away`() {
    let collector = Collector()
    let output = Output(
      OutputTarget(sink: collector, isTerminal: true, movesCursor: true))
    let time = Time()
    let progress = LedgerCommands.Progress(output, noun: "event") { time.now }
    progress.update(1)
    time.now = 0.99
    progress.update(2)
    #expect(collector.text == "")
    time.now = 1.0
    progress.update(3000)
    #expect(collector.text == "\r\u{1b}[K3,000 events…")
    time.now = 1.05
    progress.update(3001)
    time.now = 1.2
    progress.update(4000)
    progress.clear()
    progress.clear()
    #expect(collector.text == "\r\u{1b}[K3,000 events…\r\u{1b}[K4,000 events…\r\u{1b}[K")
  }

  @Test func `is not shown where a line cannot be taken back`() {
    let collector = Collector()
    let time = Time()
    let progress = LedgerCommands.Progress(
      Output(OutputTarget(sink: collector, isTerminal: false)), noun: "event"
    ) { time.now }
    time.now = 100
    progress.update(1)
    progress.clear()
    #expect(collector.text == "")
  }

  private final class Time { var now = 0.0 }
}

@Suite struct `Exit codes` {
  @Test func `follow from the code of an error`() {
    let expected: [LedgerError.Code: Int32] = [
      .invalid: 64, .badLine: 65, .noSuchTask: 1, .ambiguous: 64, .beyondEnd: 64, .damaged: 65,
      .unsupported: 65, .notFound: 66, .alreadyExists: 73, .io: 74, .busy: 75, .poisoned: 74,
      .usage: 64, .conflict: 1, .nothingToUndo: 1,
    ]
    for code in LedgerError.Code.allCases {
      #expect(ExitStatus(LedgerError(code, "x")).rawValue == expected[code], "\(code)")
    }
  }
}
