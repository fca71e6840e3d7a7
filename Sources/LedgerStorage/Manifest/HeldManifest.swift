import LedgerCore
import LedgerFormat

/// A manifest under a shared lock: as long as it is held, no file that it names is removed.
package final class HeldManifest: Sendable {
  package let manifest: Manifest
  /// The bytes of CURRENT that named it.
  package let current: [UInt8]
  private let file: any LedgerFile
  /// How CURRENT and the manifest stood when they were read.
  private let statuses: [FileStatus]

  private init(
    _ manifest: Manifest, current: CurrentReading, file: any LedgerFile, status: FileStatus
  ) {
    self.manifest = manifest
    self.current = current.bytes
    self.file = file
    statuses = [current.status, status]
  }

  deinit { file.close() }

  /// Whether CURRENT and the manifest are the files that were read, untouched since.
  ///
  /// That is no proof that CURRENT still names this manifest, where other processes may have taken steps: the system can give a
  /// new file the number of an old one.
  func isUntouched(in directory: any LedgerDirectory) throws -> Bool {
    try directory.status(LedgerNames.current) == statuses[0]
      && directory.status(file.name) == statuses[1]
  }

  /// How often a reader starts over because the manifest changed under it.
  private static let attemptsMax = 100

  /// Reads CURRENT, locks the manifest that it names, and makes sure that CURRENT still names it.
  package static func load(
    from directory: any LedgerDirectory
  ) throws(LedgerError) -> HeldManifest {
    var obstacle = Obstacle.changed
    for _ in 0..<attemptsMax {
      switch try attempt(directory) {
      case .success(let held): return held
      case .failure(let found): obstacle = found
      }
      sleep(milliseconds: 1)
    }
    throw LedgerError(
      .busy, "cannot read the manifest: \(obstacle.sentence)", path: directory.path,
      hint: "try again")
  }

  /// What keeps a reader from the manifest for now.
  private enum Obstacle: Error {
    /// CURRENT came to name another one.
    case changed
    /// Somebody removes it, or a program that is none of ours keeps it locked.
    case locked

    var sentence: String {
      switch self {
      case .changed: "it changed \(attemptsMax) times under the reader"
      case .locked: "another program has had it locked for \(attemptsMax) ms"
      }
    }
  }

  private static func attempt(
    _ directory: any LedgerDirectory
  ) throws(LedgerError) -> Result<HeldManifest, Obstacle> {
    let reading: CurrentReading
    do throws(LedgerError) {
      reading = try CurrentReading(directory)
    } catch {
      guard error.code == .busy else { throw error }
      return .failure(.changed)
    }
    let current: CurrentFile
    do throws(LedgerError) {
      current = try CurrentFile(reading.bytes)
    } catch {
      throw error.located(in: directory.pathOf(LedgerNames.current))
    }
    let name = LedgerNames.manifest(current.manifestNumber)
    do {
      let file = try directory.open(name, .read)
      guard try file.tryLock(.shared) else { return .failure(.locked) }
      guard try CurrentReading(directory).bytes == reading.bytes else { return .failure(.changed) }
      let status = try file.status()
      let manifest = try decode(file, current, path: directory.pathOf(name))
      return .success(HeldManifest(manifest, current: reading, file: file, status: status))
    } catch let error as LedgerError where error.code == .notFound {
      guard try readCurrent(directory) == reading.bytes else { return .failure(.changed) }
      throw LedgerError(
        .damaged, "the manifest that CURRENT names is missing", path: directory.pathOf(name),
        hint: LedgerError.repairHint)
    } catch let error as LedgerError where error.isOfOtherThanFile {
      throw error.asDamage(path: directory.pathOf(name))
    } catch {
      throw LedgerError.wrapping(error)
    }
  }

  private static func decode(
    _ file: any LedgerFile, _ current: CurrentFile, path: String
  ) throws -> Manifest {
    let bytes = try file.contents(atMost: UInt64(Manifest.bytesMax), path: path)
    guard UInt64(bytes.count) == current.manifestLength,
      checksum(of: bytes, in: 0..<bytes.count) == current.manifestChecksum
    else {
      throw LedgerError(
        .damaged, "the manifest is not the one that CURRENT names", path: path,
        hint: LedgerError.repairHint)
    }
    do throws(LedgerError) {
      let manifest = try Manifest(bytes)
      guard manifest.ledger == current.ledger, manifest.number == current.manifestNumber else {
        throw LedgerError(.damaged, "the manifest belongs to another ledger or step")
      }
      return manifest
    } catch {
      throw error.located(in: path)
    }
  }

  static func readCurrent(_ directory: any LedgerDirectory) throws(LedgerError) -> [UInt8] {
    try CurrentReading(directory).bytes
  }

  fileprivate static func explainMissingCurrent(
    _ directory: any LedgerDirectory
  ) throws(LedgerError) -> LedgerError {
    let folder = try LedgerError.typing { try FolderWithoutCurrent(directory) }
    switch folder {
    case .ledger:
      guard try LedgerError.typing({ try directory.status(LedgerNames.current) }) != nil else {
        return missingCurrent(directory)
      }
      // Whoever makes it just now has given it its CURRENT, and written to it, since this looked for it.
      return LedgerError(
        .busy, "the ledger was being made", path: directory.path, hint: "try again")
    case .unfinishedRestoration:
      return LedgerError(
        .notFound, "there is no ledger", path: directory.path,
        cause: "a restoration was interrupted",
        hint: "run the `ledger restore --from` again, or remove the folder")
    case .unfinished, .foreign: break
    }
    return LedgerError(
      .notFound, "there is no ledger", path: directory.path,
      hint: "make one with `ledger init`, or name another with --ledger")
  }

  static func missingCurrent(_ directory: any LedgerDirectory) -> LedgerError {
    LedgerError(
      .damaged, "the file CURRENT is missing", path: directory.path,
      hint: LedgerError.repairHint)
  }
}

/// CURRENT as it was read once.
private struct CurrentReading {
  let bytes: [UInt8]
  let status: FileStatus

  init(_ directory: any LedgerDirectory) throws(LedgerError) {
    do {
      let file = try directory.open(LedgerNames.current, .read)
      defer { file.close() }
      status = try file.status()
      bytes = try file.contents(
        atMost: UInt64(CurrentFile.byteCount), path: directory.pathOf(LedgerNames.current))
    } catch let error as LedgerError where error.code == .notFound {
      throw try HeldManifest.explainMissingCurrent(directory)
    } catch let error as LedgerError where error.isOfOtherThanFile {
      throw error.asDamage(path: directory.pathOf(LedgerNames.current))
    } catch {
      throw LedgerError.wrapping(error)
    }
  }
}
