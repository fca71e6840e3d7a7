/// The kinds of calls of a ``LedgerDirectory`` and its files.
package enum CallKind: String, Sendable, CaseIterable {
  case open, create, list, makeFolder, rename, unlink, syncFolder
  case status, size, seek, read, write, sync, truncate, lock, unlock, watch

  /// The calls that change what is on the disk, or what is durable there.
  package static let mutating: Set<CallKind> = [
    .create, .makeFolder, .rename, .unlink, .syncFolder, .write, .sync, .truncate,
  ]
}

/// One call, as a ``FaultDirectory`` saw it.
package struct Call: Sendable, Equatable, CustomStringConvertible {
  /// How a call came out.
  package enum Outcome: Sendable, Equatable {
    /// It has not returned.
    case running
    case done
    /// It threw; with the `errno`, where the error had one.
    case failed(Int32?)
  }

  /// Its place in the order in which calls began, from 1.
  package let number: Int
  package let kind: CallKind
  /// The file or folder; the old name of a rename, the name at opening for an open file.
  package let name: String
  /// The new name of a rename.
  package var newName: String?
  /// Where a read or a write begins.
  package var offset: UInt64?
  /// How many bytes are read or written; the length that a truncate sets.
  package var count: UInt64?
  /// Which file it is, whatever its name: stays through a rename; a new file has a new one.
  package var file: Int?
  /// The file that lost its name to a rename.
  var replaced: Int?

  package internal(set) var outcome = Outcome.running
  /// The number of the last call that had begun when this one returned: any with a larger number began after this
  /// one was over.
  package internal(set) var lastBegun: Int?

  /// One line: `12 write segments/a.log @4096 +512`, and ` → EIO` or ` …` where it failed or is still running.
  package var description: String {
    var text = "\(number) \(kind.rawValue) \(name.isEmpty ? "." : name)"
    if let newName { text += " → \(newName)" }
    if let offset { text += " @\(offset)" }
    if let count { text += kind == .truncate ? " =\(count)" : " +\(count)" }
    switch outcome {
    case .running: text += " …"
    case .done: break
    case .failed(let code): text += " ✗ \(code.map { Errno($0).text } ?? "failed")"
    }
    return text
  }
}

/// Calls in the order in which they began.
package struct CallTrace: Sendable, CustomStringConvertible {
  package internal(set) var calls: [Call] = []

  /// How many calls of a kind began.
  package func count(_ kind: CallKind) -> Int { calls.count { $0.kind == kind } }

  /// The calls of some kinds, of one file or folder where a name is given.
  package func calls(_ kinds: CallKind..., named name: String? = nil) -> [Call] {
    calls.filter { kinds.contains($0.kind) && (name == nil || $0.name == name) }
  }

  /// The calls after one of them, such as the last that a test had seen.
  package func after(_ number: Int) -> CallTrace {
    CallTrace(calls: Array(calls.drop { $0.number <= number }))
  }

  /// One call a line.
  package var description: String { calls.map(\.description).joined(separator: "\n") }
}
