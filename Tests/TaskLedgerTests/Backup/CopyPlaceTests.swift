import LedgerStorage
import LedgerTestSupport
import TaskLedger
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Where a copy cannot be, whichever path leads there.
@Suite struct `A copy into what is copied` {
  /// A ledger with an event, and a link to its folder beside it.
  private func withLedger(_ body: (_ folder: String, _ ledger: Ledger) throws -> Void) throws {
    try withTemporaryFolder { folder in
      let ledger = try Ledger.open(at: "\(folder)/tasks.ledger", author: "ann")
      try ledger.upsert(TaskItem(id: "milk", body: "Get milk"))
      symlink("\(folder)/tasks.ledger", "\(folder)/link")
      mkdir("\(folder)/tasks.ledger/own", 0o700)
      try body(folder, ledger)
    }
  }

  private func entries(_ folder: String) throws -> [String] {
    let directory = try LocalDirectory(path: folder)
    return try directory.list("").flatMap { name in
      [name] + ((try? directory.list(name)) ?? []).map { "\(name)/\($0)" }
    }
  }

  @Test func `is refused by what the folders are, and nothing is made`() throws {
    try withLedger { folder, ledger in
      let inside = [
        "tasks.ledger/copy", "link/copy", "tasks.ledger/segments/../copy", "tasks.ledger/own",
        "link/own/copy", "./tasks.ledger//own/", "tasks.ledger/segments", "tasks.ledger/copy/",
      ]
      let same = ["tasks.ledger", "link", "tasks.ledger/", "tasks.ledger/own/..", "link/."]
      let before = try entries("\(folder)/tasks.ledger")
      let refused = [
        (inside, "it lies inside the folder of the ledger"),
        (same, "it is the folder of the ledger"),
      ]
      for (paths, words) in refused {
        for path in paths {
          let error = #expect(throws: LedgerError.self, "\(path)") {
            try ledger.backup(to: "\(folder)/\(path)")
          }
          #expect(error?.code == .alreadyExists, "\(path)")
          #expect(error?.path == "\(folder)/\(path)")
          #expect(error?.message.contains(words) == true, "\(path): \(String(describing: error))")
          #expect(error?.hint?.contains("elsewhere") == true, "\(path)")
        }
      }
      #expect(try entries("\(folder)/tasks.ledger") == before)
      let around = #expect(throws: LedgerError.self) { try ledger.backup(to: folder) }
      #expect(around?.message.contains("the ledger lies inside it") == true)
      #expect(Ledger.isSound("\(folder)/tasks.ledger"))
      // A folder beside it is none of that.
      try ledger.backup(to: "\(folder)/tasks.ledger.copy")
    }
  }

  @Test func `is refused for a backup that is backed up onto itself`() throws {
    try withLedger { folder, ledger in
      try ledger.backup(to: "\(folder)/copy")
      symlink("\(folder)/copy", "\(folder)/other")
      let copy = try Ledger.open(at: "\(folder)/copy", createIfMissing: false)
      let error = #expect(throws: LedgerError.self) { try copy.backup(to: "\(folder)/other") }
      #expect(error?.message.contains("it is the folder of the ledger") == true)
    }
  }

  @Test func `is refused for a restoration, too`() throws {
    try withLedger { folder, ledger in
      try ledger.backup(to: "\(folder)/copy")
      let before = try entries("\(folder)/copy")
      symlink("\(folder)/copy", "\(folder)/other")
      for path in ["copy/new", "other/new", "copy", "other", "copy/segments/../new"] {
        let error = #expect(throws: LedgerError.self, "\(path)") {
          try Ledger.restore(from: "\(folder)/copy", to: "\(folder)/\(path)")
        }
        #expect(error?.code == .alreadyExists, "\(path)")
        #expect(error?.message.contains("the folder of the backup") == true, "\(path)")
      }
      #expect(try entries("\(folder)/copy") == before)
      let around = #expect(throws: LedgerError.self) {
        try Ledger.restore(from: "\(folder)/copy", to: folder)
      }
      #expect(around?.message.contains("the backup lies inside it") == true)
      try Ledger.restore(from: "\(folder)/copy", to: "\(folder)/new")
      #expect(try Ledger.open(at: "\(folder)/new", createIfMissing: false).lastSequence == 1)
    }
  }

  @Test func `is told from the root on`() throws {
    try withTemporaryFolder { folder in
      let lineage = try LocalDirectory(path: folder).lineage()
      #expect(lineage.last == (try LocalDirectory(path: "/").lineage().first))
      #expect(try LocalDirectory(path: "/").lineage().count == 1)
      #expect(lineage.count > 1)
      let (one, other) = (MemoryDirectory(), MemoryDirectory())
      #expect(try one.lineage() != other.lineage())
    }
  }
}

extension Ledger {
  fileprivate static func isSound(_ path: String) -> Bool {
    (try? Ledger.verify(at: path).isSound) == true
  }
}
