import LedgerCore

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The folder lock: one writer at a time among all processes (flock(2) of LOCK).
///
/// LOCK also carries a mark while a writer is at work, so that the next one knows when its predecessor died and the
/// rest of the active segment must be looked at. The mark is a hint that needs no sync: after a power cut every
/// writer opens anew and looks anyway.
package final class FolderLock {
  private static let markedBusy: [UInt8] = [0x62]
  private static let markedIdle: [UInt8] = [0x69]

  private let directory: any LedgerDirectory
  private var file: (any LedgerFile)?
  private(set) var isHeld = false

  init(_ directory: any LedgerDirectory) { self.directory = directory }

  /// Takes the lock, waiting for at most `timeout` milliseconds.
  ///
  /// - Returns: whether the writer before ended in good order.
  func acquire(timeout: UInt64) throws(LedgerError) -> Bool {
    do {
      let file = try self.file ?? openFile()
      self.file = file
      var waited: UInt64 = 0
      while try !file.tryLock(.exclusive) {
        guard waited < timeout else {
          throw LedgerError(
            .busy, "another process has been writing for \(waited) ms",
            path: directory.pathOf(LedgerNames.lock), hint: "try again when it is done")
        }
        let pause: UInt64 = waited < 20 ? 1 : 5
        sleep(milliseconds: pause)
        waited += pause
      }
      isHeld = true
      let mark = try file.read(at: 0, count: 1)
      try file.write(Self.markedBusy, at: 0)
      return mark == Self.markedIdle
    } catch {
      release(inOrder: false)
      throw LedgerError.wrapping(error)
    }
  }

  private func openFile() throws -> any LedgerFile {
    do {
      return try directory.open(LedgerNames.lock, .readWrite)
    } catch let error as LedgerError where error.code == .notFound {
      // LOCK holds nothing that cannot be made anew.
      do {
        return try directory.open(LedgerNames.lock, .create)
      } catch let error as LedgerError where error.code == .alreadyExists {
        return try directory.open(LedgerNames.lock, .readWrite)
      }
    }
  }

  /// Gives the lock back.
  func release(inOrder: Bool) {
    guard isHeld, let file else { return }
    isHeld = false
    do {
      if inOrder { try file.write(Self.markedIdle, at: 0) }
      try file.unlock()
    } catch {
      // Closing the descriptor releases the lock, whatever the calls before it said.
      file.close()
      self.file = nil
    }
  }
}

/// The folder lock held shared: while it is, nobody writes.
struct FolderAtRest {
  private let file: (any LedgerFile)?

  /// Nil while somebody is writing. A LOCK that is not there, or that this user may not read, is no reason to say so.
  init?(_ directory: any LedgerDirectory) {
    file = try? directory.open(LedgerNames.lock, .read)
    guard let file else { return }
    if (try? file.tryLock(.shared)) == false {
      file.close()
      return nil
    }
  }

  func end() { file?.close() }
}

/// Blocks this thread.
func sleep(milliseconds: UInt64) {
  var time = timespec(
    tv_sec: Int(milliseconds / 1000), tv_nsec: Int(milliseconds % 1000) * 1_000_000)
  nanosleep(&time, nil)
}
