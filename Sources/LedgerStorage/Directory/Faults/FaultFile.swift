/// An open file of a ``FaultDirectory``.
final class FaultFile: LedgerFile {
  private let base: any LedgerFile
  private let path: String
  private let recorder: FaultRecorder
  /// Which file it is in the trace, whatever its name will be.
  private let file: Int

  init(_ base: any LedgerFile, path: String, recorder: FaultRecorder) {
    self.base = base
    self.path = path
    self.recorder = recorder
    file = recorder.number(ofFile: base.name)
  }

  var name: String { base.name }

  func size() throws -> UInt64 {
    try recorder.perform(.size, name, file: file, failing: .size(path)) { try base.size() }
  }

  func status() throws -> FileStatus {
    try recorder.perform(.status, name, file: file, failing: .size(path)) { try base.status() }
  }

  func nextData(from offset: UInt64) throws -> UInt64? {
    try recorder.perform(
      .seek, name, offset: offset, file: file, failing: .seekData(from: offset, path)
    ) {
      try base.nextData(from: offset)
    }
  }

  func read(at offset: UInt64, count: Int) throws -> [UInt8] {
    try recorder.perform(
      .read, name, offset: offset, count: UInt64(count), file: file,
      failing: .read(count, at: offset, path)
    ) {
      try base.read(at: offset, count: count)
    }
  }

  func write(_ bytes: [UInt8], at offset: UInt64) throws {
    try recorder.perform(
      .write, name, offset: offset, count: UInt64(bytes.count), file: file,
      failing: .write(bytes.count, at: offset, path)
    ) { effect in
      guard case .partial(let count) = effect else { return }
      try base.write(Array(bytes.prefix(count)), at: offset)
    } _: {
      try base.write(bytes, at: offset)
    }
  }

  func sync() throws {
    try recorder.perform(.sync, name, file: file, failing: .sync(path)) { effect in
      if effect == .losesPages { (base as? any PageLosing)?.losePages() }
    } _: {
      try base.sync()
    }
  }

  func truncate(to size: UInt64) throws {
    try recorder.perform(
      .truncate, name, count: size, file: file, failing: .truncate(to: size, path)
    ) {
      try base.truncate(to: size)
    }
  }

  func tryLock(_ kind: LockKind) throws -> Bool {
    try recorder.perform(.lock, name, file: file, failing: .lock(kind, path)) {
      try base.tryLock(kind)
    }
  }

  func unlock() throws {
    try recorder.perform(.unlock, name, file: file, failing: .unlock(path)) { try base.unlock() }
  }

  func close() { base.close() }
}
