import Foundation
import LedgerTestSupport
import TaskLedger
import Testing

/// What happens to the files of a ledger while a process has it open.
enum Meddling: CaseIterable, Sendable {
  case activeRemoved, activeMovedAway, activeEmptied, activeCut, activeCutAtFrame, activeReplaced
  case activeOverwritten, currentRemoved, currentReplaced, currentOverwritten
  case manifestRemoved, manifestCut
}

/// A writer that does not read before it appends must notice all the same what others, who take no lock, do to its files.
@Suite struct `A running writer` {
  @Test(arguments: Meddling.allCases)
  func `acknowledges nothing on files that somebody meddled with`(_ meddling: Meddling) throws {
    try withTemporaryFolder { path in
      let folder = "\(path)/tasks.ledger"
      let ledger = try Ledger.create(
        at: folder, author: "ann", configuration: .forTests(sealEvents: 1000))
      try ledger.upsert(TaskItem(id: "milk", body: "Get milk"))
      let older = try Files(folder)
      for number in 1...4 { try ledger.upsert(TaskItem(id: TaskID("task \(number)"), body: "New")) }
      let whole = try Files(folder)
      try meddling.happen(to: whole, older)
      for _ in 1...3 {
        let error = #expect(throws: LedgerError.self) { try ledger.toggle("milk") }
        #expect(error?.code == .damaged, "\(meddling): \(error.map { "\($0)" } ?? "")")
        #expect(error?.hint != nil)
      }
      // Put back as it was, the ledger goes on, and holds what was acknowledged and nothing else.
      try whole.putBack()
      try ledger.toggle("milk")
      for handle in [ledger, try Ledger.open(at: folder, createIfMissing: false)] {
        #expect(try handle.lastSequence == 6)
        #expect(try handle.tasks().count == 5)
      }
      #expect(try Ledger.verify(at: folder).isSound)
    }
  }

  @Test func `goes on when files were copied, moved back, or given another name beside`() throws {
    try withTemporaryFolder { path in
      let folder = "\(path)/tasks.ledger"
      let ledger = try Ledger.create(at: folder, configuration: .forTests(sealEvents: 1000))
      try ledger.upsert(TaskItem(id: "milk", body: "Get milk"))
      for name in try Files(folder).names {
        try FileManager.default.linkItem(atPath: "\(folder)/\(name)", toPath: "\(path)/link")
        try ledger.toggle("milk")
        try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
        try FileManager.default.copyItem(atPath: "\(path)/link", toPath: "\(folder)/\(name)")
        try FileManager.default.removeItem(atPath: "\(path)/link")
        try ledger.toggle("milk")
      }
      #expect(try ledger.lastSequence == 7)
      #expect(try Ledger.open(at: folder).lastSequence == 7)
      #expect(try Ledger.verify(at: folder).isSound)
    }
  }

  @Test func `locks the LOCK that is there, not the one that was taken away`() throws {
    try withTemporaryFolder { path in
      let folder = "\(path)/tasks.ledger"
      var configuration = LedgerConfiguration.forTests(sealEvents: 1000)
      configuration.lockTimeoutMilliseconds = 0
      let ledger = try Ledger.create(at: folder, configuration: configuration)
      try ledger.upsert(TaskItem(id: "milk", body: "Get milk"))
      try FileManager.default.removeItem(atPath: "\(folder)/LOCK")
      let other = try Ledger.open(at: folder, configuration: configuration)
      try other.transaction { transaction in
        try transaction.toggle("milk")
        let error = #expect(throws: LedgerError.self) { try ledger.toggle("milk") }
        #expect(error?.code == .busy)
        #expect(error?.message == "others held the lock for 0 s in \(folder)")
      }
      try ledger.toggle("milk")
      #expect(try ledger.audit("milk").count == 3)
      #expect(try other.audit("milk").count == 3)
    }
  }
}

/// The files of a ledger that an append relies upon.
private struct Files {
  let folder: String
  let contents: [String: Data]

  init(_ folder: String) throws {
    self.folder = folder
    var contents: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder)
    where name == "CURRENT" || name.hasPrefix("MANIFEST-") || name.hasSuffix(".active") {
      contents[name] = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"))
    }
    self.contents = contents
  }

  var names: [String] { contents.keys.sorted() }
  var active: String { names.first { $0.hasSuffix(".active") } ?? "" }
  var manifest: String { names.first { $0.hasPrefix("MANIFEST-") } ?? "" }

  func path(_ name: String) -> String { "\(folder)/\(name)" }

  func cut(_ name: String, to size: UInt64) throws {
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path(name)))
    try handle.truncate(atOffset: size)
    try handle.close()
  }

  /// Writes over the file that is there.
  func overwrite(_ name: String, with data: Data) throws {
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path(name)))
    try handle.write(contentsOf: data)
    try handle.close()
  }

  func putBack() throws {
    for (name, data) in contents { try data.write(to: URL(fileURLWithPath: path(name))) }
  }
}

extension Meddling {
  fileprivate func happen(to files: Files, _ older: Files) throws {
    let manager = FileManager.default
    let active = files.path(files.active)
    let old = older.contents[files.active] ?? Data()
    switch self {
    case .activeRemoved: try manager.removeItem(atPath: active)
    case .activeMovedAway: try manager.moveItem(atPath: active, toPath: active + ".bak")
    case .activeEmptied: try files.cut(files.active, to: 0)
    case .activeCut: try files.cut(files.active, to: 700)
    case .activeCutAtFrame:
      let end = (old.lastIndex { $0 != 0 } ?? 0) / 8 * 8 + 8
      try files.cut(files.active, to: UInt64(end))
    case .activeReplaced:
      try manager.removeItem(atPath: active)
      try old.write(to: URL(fileURLWithPath: active))
    case .activeOverwritten:
      let zeros = Data(count: (files.contents[files.active]?.count ?? 0) - old.count)
      try files.overwrite(files.active, with: old + zeros)
    case .currentRemoved: try manager.removeItem(atPath: files.path("CURRENT"))
    case .currentReplaced:
      try manager.removeItem(atPath: files.path("CURRENT"))
      try Data(count: 64).write(to: URL(fileURLWithPath: files.path("CURRENT")))
    case .currentOverwritten: try files.overwrite("CURRENT", with: Data(count: 10))
    case .manifestRemoved: try manager.removeItem(atPath: files.path(files.manifest))
    case .manifestCut: try files.cut(files.manifest, to: 100)
    }
  }
}
