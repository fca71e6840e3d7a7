import LedgerFormat
import Testing

@testable import TaskLedger

/// What is compared now and then, and what at the end.
extension SideBySide {
  /// The present, as each way of asking shows it.
  func comparePresent(_ ledger: Ledger) throws {
    let at = "\(label), after \(model.events.count)"
    let expected = try #require(model.documents())
    let shown = try ledger.tasks(TaskListOptions(includesDeleted: true))
    #expect(difference(shown.map(PlainModel.Document.init), expected) == nil, "\(at)")
    for id in model.ids {
      let item = try ledger.task(try TaskID(id.string))
      #expect(item.map(PlainModel.Document.init) == model.document(id), "\(at), \(id)")
    }
    #expect(try ledger.lastSequence == UInt64(model.events.count), "\(at)")
  }

  /// The replay of a moment: counts, digest and the digested bytes.
  func compareReplay(_ moment: PlainModel.Moment, _ ledger: Ledger) throws {
    let at = "\(label), \(moment)"
    let expected = try #require(model.digestedBytes(at: moment))
    let replay = try ledger.replay(at: moment.ofLedger, comparesSnapshot: true)
    #expect(replay.comparison?.agrees ?? true, "\(at)")
    var bytes: [UInt8] = []
    replay.forEachLines { bytes.append(contentsOf: $0) }
    #expect(bytes == expected, "\(at)")
    #expect(replay.digest == PlainSHA256.hex(expected), "\(at)")
    #expect(replay.tasks == expected.count { $0 == 0x0a }, "\(at)")
    #expect(replay.events == UInt64(model.events(upTo: moment).count), "\(at)")
  }

  /// The tasks of a moment.
  func compareTasks(_ moment: PlainModel.Moment, _ ledger: Ledger) throws {
    guard let place = moment.ofLedger else { return }
    let then = try ledger.at(place)
    let found = try then.tasks(TaskListOptions(includesDeleted: true))
    let expected = try #require(model.documents(at: moment))
    let first = try then.tasks(TaskListOptions(includesDeleted: true, limit: 2))
    #expect(first == Array(found.prefix(2)), "\(label), \(moment)")
    #expect(
      difference(found.map(PlainModel.Document.init), expected) == nil, "\(label), \(moment)")
    for id in model.ids {
      let item = try then.task(try TaskID(id.string))
      #expect(
        item.map(PlainModel.Document.init) == expected.first { $0.id == id },
        "\(label), \(moment), \(id)")
    }
  }

  /// Every moment that there is, and those beside.
  func compareMoments(_ ledger: Ledger) throws {
    for number in 0...model.events.count {
      try compareTasks(.sequence(number), ledger)
      if number % 7 == 0 { try compareReplay(.sequence(number), ledger) }
    }
    let times = Set(model.events.map(\.stamp.time)).sorted()
    for (index, time) in times.enumerated() {
      try compareTasks(.time(time), ledger)
      if index % 7 == 0 {
        try compareReplay(.time(time), ledger)
        try compareTasks(.time(time - 1), ledger)
        try compareTasks(.time(time + 1), ledger)
      }
    }
    try compareReplay(.time(times.last.map { $0 + 1_000_000_000 } ?? 0), ledger)
    #expect(throws: LedgerError.self) {
      try ledger.at(.sequence(UInt64(model.events.count + 1)))
    }
  }

  /// The history of each task, and the log of all.
  func compareHistory(_ ledger: Ledger) throws {
    var all: [PlainModel.HistoryEntry] = []
    for id in model.ids {
      let expected = model.history(of: id)
      all.append(contentsOf: expected)
      let task = try TaskID(id.string)
      let found = try ledger.audit(task).map(PlainModel.HistoryEntry.init)
      #expect(difference(found, expected) == nil, "\(label), \(id)")
      #expect(
        try ledger.revision(of: task) == expected.last.map { UInt64($0.sequence) },
        "\(label), \(id)")
    }
    all.sort { $0.sequence < $1.sequence }
    var entries: [PlainModel.HistoryEntry] = []
    try ledger.forEachEntry { entry in
      entries.append(PlainModel.HistoryEntry(entry))
      return true
    }
    #expect(difference(entries, all) == nil, "\(label)")
    // Half of it, of one author.
    let filter = EventFilter(after: UInt64(all.count / 2), author: "ann")
    var some: [PlainModel.HistoryEntry] = []
    try ledger.forEachEntry(filter) { entry in
      some.append(PlainModel.HistoryEntry(entry))
      return true
    }
    let wanted = all.dropFirst(all.count / 2).filter { $0.event.author == "ann" }
    #expect(difference(some, wanted) == nil, "\(label)")
  }

  /// Every byte once more, by a verification.
  func compareVerification() throws {
    for ledger in handles { ledger.finishBackgroundWork() }
    let found = try Ledger.verify(bench.directory)
    #expect(found.isSound, "\(label): \(found.files)")
    #expect(found.events == UInt64(model.events.count), "\(label)")
    #expect(found.digest == model.digest(), "\(label)")
    #expect(found.tasks == model.documents()?.count, "\(label)")
  }

  /// All of it.
  func compareEverything() throws {
    for ledger in handles {
      try comparePresent(ledger)
      try compareReplay(.present, ledger)
    }
    try compareMoments(handles[0])
    try compareHistory(handles[0])
    try compareVerification()
  }
}

extension PlainModel {
  /// The events that a moment knows of.
  func events(upTo moment: Moment) -> [PlainEvent] {
    switch moment {
    case .present: events
    case .sequence(let number): events.filter { $0.sequence <= number }
    case .time(let time): events.filter { $0.stamp.time <= time }
    }
  }
}
