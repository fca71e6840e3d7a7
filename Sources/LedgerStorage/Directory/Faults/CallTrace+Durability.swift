extension CallTrace {
  /// The changes that returned but that nothing has made durable: what a power cut now may undo. Empty is what an
  /// acknowledgement needs.
  ///
  /// - A write or a truncate waits for a sync of its file that began after it had returned, and succeeded.
  ///   After a sync that failed no later one counts, until the same bytes are written again.
  /// - A new, renamed or removed name waits for a ``LedgerDirectory/syncFolder(_:)`` of its folder, a rename
  ///   between two folders for both.
  /// - Changes of a file whose last name is gone wait for nothing.
  package func notDurable() -> [Call] {
    var pending = PendingChanges()
    for call in calls { pending.follow(call) }
    return pending.calls
  }
}

private struct PendingChanges {
  private var changes: [PendingChange] = []

  var calls: [Call] { changes.map(\.call) }

  mutating func follow(_ call: Call) {
    guard call.outcome == .done else {
      if case .failed = call.outcome, call.kind == .sync { missSync(call) }
      return
    }
    switch call.kind {
    case .write where call.count == 0: break
    case .write, .truncate:
      changes.removeAll { $0.isReplaced(by: call) }
      changes.append(PendingChange(call: call))
    case .sync: changes.removeAll { $0.isSynced(by: call) }
    case .create, .makeFolder: addEntry(call, [call.name])
    case .rename:
      forget(call.replaced)
      addEntry(call, [call.name, call.newName ?? call.name])
    case .unlink:
      forget(call.file)
      addEntry(call, [call.name])
    case .syncFolder: syncFolder(call)
    case .open, .list, .status, .size, .seek, .read, .lock, .unlock, .watch: break
    }
  }

  private mutating func addEntry(_ call: Call, _ names: [String]) {
    let folders = names.map { name in
      name.utf8.contains(UInt8(ascii: "/")) ? splitPath(name).folder : ""
    }
    changes.append(PendingChange(call: call, folders: Set(folders)))
  }

  private mutating func forget(_ file: Int?) {
    changes.removeAll { $0.isContents(of: file) }
  }

  private mutating func missSync(_ call: Call) {
    for index in changes.indices where changes[index].isContents(of: call.file) {
      changes[index].missedSync = true
    }
  }

  private mutating func syncFolder(_ call: Call) {
    for index in changes.indices where changes[index].isOver(before: call) {
      changes[index].folders.remove(call.name)
    }
    changes.removeAll { !$0.isContents && $0.folders.isEmpty }
  }
}

private struct PendingChange {
  let call: Call
  /// The folders that it waits for; none for a change of contents.
  var folders: Set<String> = []
  /// A sync failed after it: no later one is known to cover it.
  var missedSync = false

  var isContents: Bool { call.kind == .write || call.kind == .truncate }

  func isContents(of file: Int?) -> Bool { isContents && file != nil && call.file == file }

  func isOver(before later: Call) -> Bool { call.lastBegun.map { $0 < later.number } ?? false }

  func isSynced(by sync: Call) -> Bool {
    isContents(of: sync.file) && !missedSync && isOver(before: sync)
  }

  /// Whether a later change of contents covers all that this one did.
  func isReplaced(by later: Call) -> Bool {
    guard isContents(of: later.file), call.kind == later.kind else { return false }
    return later.kind == .truncate || range(later).contains(range(call))
  }

  private func range(_ write: Call) -> Range<UInt64> {
    let start = write.offset ?? 0
    return start..<start + (write.count ?? 0)
  }
}
