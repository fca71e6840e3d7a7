import LedgerCore
import LedgerFormat

/// A manifest under a shared lock: as long as it is held, no file that it names is removed.
package final class HeldManifest: Sendable {
  package let manifest: Manifest
  /// The bytes of CURRENT that named it.
  package let current: [UInt8]
  private let file: any LedgerFile

  private init(_ manifest: Manifest, current: [UInt8], file: any LedgerFile) {
    self.manifest = manifest
    self.current = current
    self.file = file
  }

  deinit { file.close() }

  /// How often a reader starts over because the manifest changed under it.
  private static let attemptsMax = 100

  /// Reads CURRENT, locks the manifest that it names, and makes sure that CURRENT still names it.
  package static func load(
    from directory: any LedgerDirectory
  ) throws(LedgerError) -> HeldManifest {
    for _ in 0..<attemptsMax {
      if let held = try attempt(directory) { return held }
      sleep(milliseconds: 1)
    }
    throw LedgerError(
      .busy, "cannot read the manifest: it changed \(attemptsMax) times under the reader",
      path: directory.path, hint: "try again")
  }

  private static func attempt(
    _ directory: any LedgerDirectory
  ) throws(LedgerError) -> HeldManifest? {
    let bytes = try readCurrent(directory)
    let current: CurrentFile
    do throws(LedgerError) {
      current = try CurrentFile(bytes)
    } catch {
      throw error.located(in: directory.pathOf(LedgerNames.current))
    }
    let name = LedgerNames.manifest(current.manifestNumber)
    do {
      let file = try directory.open(name, .read)
      guard try file.tryLock(.shared) else { return nil }
      guard try readCurrent(directory) == bytes else { return nil }
      let manifest = try decode(file, current, path: directory.pathOf(name))
      return HeldManifest(manifest, current: bytes, file: file)
    } catch let error as LedgerError where error.code == .notFound {
      guard try readCurrent(directory) == bytes else { return nil }
      throw LedgerError(
        .damaged, "the manifest that CURRENT names is missing", path: directory.pathOf(name),
        hint: "run `ledger verify` to see what is intact; restore the file from a backup")
    } catch {
      throw LedgerError.wrapping(error)
    }
  }

  private static func decode(
    _ file: any LedgerFile, _ current: CurrentFile, path: String
  ) throws -> Manifest {
    let bytes = try file.read(at: 0, count: Int(clamping: try file.size()))
    guard UInt64(bytes.count) == current.manifestLength,
      checksum(of: bytes, in: 0..<bytes.count) == current.manifestChecksum
    else {
      throw LedgerError(
        .damaged, "the manifest is not the one that CURRENT names", path: path,
        hint: "run `ledger verify` to see what is intact")
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
    do {
      return try directory.contents(of: LedgerNames.current)
    } catch let error as LedgerError where error.code == .notFound {
      throw try explainMissingCurrent(directory)
    } catch {
      throw LedgerError.wrapping(error)
    }
  }

  private static func explainMissingCurrent(
    _ directory: any LedgerDirectory
  ) throws(LedgerError) -> LedgerError {
    let folder = try LedgerError.typing { try FolderWithoutCurrent(directory) }
    if folder == .ledger { return missingCurrent(directory) }
    return LedgerError(
      .notFound, "there is no ledger", path: directory.path,
      hint: "make one with `ledger init`, or name another with --ledger")
  }

  static func missingCurrent(_ directory: any LedgerDirectory) -> LedgerError {
    LedgerError(
      .damaged, "the file CURRENT is missing", path: directory.pathOf(LedgerNames.current),
      hint: "run `ledger verify` to see what is intact; restore the file from a backup")
  }
}
