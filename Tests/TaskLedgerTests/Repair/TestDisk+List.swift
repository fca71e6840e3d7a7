import LedgerTestSupport
import TaskLedger
import Testing

/// The list of files of a ledger on a test's disk, and where its newest events are.
extension TestDisk {
  /// CURRENT and the manifests.
  var listOfFiles: [String: [UInt8]] {
    files.filter { $0.key == "CURRENT" || $0.key.hasPrefix("MANIFEST") }
  }

  func loseList() throws {
    for file in listOfFiles.keys { try remove(file) }
  }

  /// The active segment that begins last.
  var newestActive: String {
    get throws { try #require(files.keys.filter { $0.hasSuffix(".active") }.max()) }
  }

  /// Flips a bit of the last frame of a file.
  func damageEnd(of file: String) throws {
    var bytes = try #require(files[file])
    let last = try #require(bytes.lastIndex { $0 != 0 })
    bytes[last] ^= 1
    try overwrite(file, with: bytes)
  }
}

extension Ledger {
  /// Makes a task of each number, with one event each.
  func appendTasks(_ numbers: ClosedRange<Int>) throws {
    for number in numbers {
      try upsert(TaskItem(id: TaskID("task \(number)"), body: "Number \(number)"))
    }
  }
}
