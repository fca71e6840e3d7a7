import LedgerCore
import LedgerFormat

/// Changes which files are the ledger, in one atomic step: the new manifest is written and synced beside the old
/// one, then CURRENT is replaced by renaming.
///
/// Only a holder of the folder lock takes a step. A manifest that has the number of the new one is removed only where it leads to no
/// event that the ledger's own does not lead to.
enum ManifestStep {
  /// Where a step failed.
  enum Failure: Error {
    /// The old manifest is still the ledger's.
    case before(LedgerError)
    /// CURRENT was renamed, but whether that is durable is unknown.
    case unknown(LedgerError)
  }

  /// Takes a step that names new files; the last thing that the body of ``removing(_:in:unlessNamedBy:)`` does.
  static func takeNamingFiles(_ manifest: Manifest, in directory: any LedgerDirectory) throws {
    do {
      try take(manifest, in: directory)
    } catch {
      switch error {
      case .before(let error): throw error
      case .unknown(let error): throw UnsureStep(error: error)
      }
    }
  }

  /// Runs what ends with a step that names new files, and removes them when that was not taken. Where it is not known whether it
  /// is durable, they must stay.
  static func removing<R>(
    _ files: [String], in directory: any LedgerDirectory, unlessNamedBy body: () throws -> R
  ) throws -> R {
    do {
      return try body()
    } catch let unsure as UnsureStep {
      throw unsure.error
    } catch {
      for file in files { try? directory.unlink(file) }
      throw error
    }
  }

  /// The step was taken, but whether it is durable is unknown.
  private struct UnsureStep: Error {
    var error: LedgerError
  }

  static func take(_ manifest: Manifest, in directory: any LedgerDirectory) throws(Failure) {
    let current = try prepare(manifest, in: directory)
    try commit(current, in: directory)
  }

  /// The first half of a step: the manifest is durable, and what is to become CURRENT lies beside it.
  ///
  /// - Returns: the bytes of that.
  static func prepare(
    _ manifest: Manifest, in directory: any LedgerDirectory
  ) throws(Failure) -> [UInt8] {
    let bytes = manifest.encoded
    guard bytes.count <= Manifest.bytesMax else {
      throw .before(
        LedgerError(
          .io, "a manifest would have \(bytes.count) bytes, expected at most \(Manifest.bytesMax)",
          path: directory.path, hint: "run `ledger compact`: fewer segments need fewer bytes"))
    }
    let name = LedgerNames.manifest(manifest.number)
    let current = CurrentFile(
      ledger: manifest.ledger, manifestNumber: manifest.number, manifestBytes: bytes
    ).encoded
    do {
      try removeIfThere(LedgerNames.currentDraft, in: directory)
      if try directory.status(name) != nil { try giveWay(name, in: directory) }
    } catch {
      throw .before(LedgerError.wrapping(error))
    }
    do {
      try directory.createDurably(name, with: bytes, in: "")
      try directory.createDurably(LedgerNames.currentDraft, with: current, in: "")
    } catch {
      // On a full disk they would take the room that something smaller needs.
      for file in [LedgerNames.currentDraft, name] { try? directory.unlink(file) }
      throw .before(LedgerError.wrapping(error))
    }
    return current
  }

  /// Makes room for a manifest: a step that was interrupted before its rename leaves this number behind. One that leads to other
  /// events is kept.
  private static func giveWay(_ name: String, in directory: any LedgerDirectory) throws {
    if let held = try whatCounts(directory) {
      var unlisted = UnlistedFiles(directory, held)
      let finding = try unlisted.find()
      if let outdated = finding.outdated { throw outdated }
      if finding.names.contains(ByteText(name)) { return try moveAside(name, in: directory) }
    }
    try removeIfThere(name, in: directory)
  }

  /// The manifest that CURRENT names; nil where it names none, and a ledger is made or repaired.
  private static func whatCounts(_ directory: any LedgerDirectory) throws -> HeldManifest? {
    do throws(LedgerError) {
      return try HeldManifest.load(from: directory)
    } catch {
      guard error.code == .damaged || error.code == .notFound else { throw error }
      return nil
    }
  }

  /// Moves something aside under a name that nothing has, durably.
  ///
  /// - Parameter aside: that name, where it was chosen before.
  static func moveAside(
    _ name: String, to aside: String? = nil, in directory: any LedgerDirectory
  ) throws {
    let parts = name.split(separator: "/")
    try directory.ensureFolder(LedgerNames.aside)
    try directory.rename(name, to: aside ?? AsideNames().free(for: name, in: directory))
    try directory.syncFolder(LedgerNames.aside)
    try directory.syncFolder(parts.dropLast().joined(separator: "/"))
  }

  /// The second half: the manifest becomes the ledger's.
  ///
  /// - Parameter current: what ``prepare(_:in:)`` returned.
  static func commit(_ current: [UInt8], in directory: any LedgerDirectory) throws(Failure) {
    do {
      try directory.rename(LedgerNames.currentDraft, to: LedgerNames.current)
    } catch {
      let error = LedgerError.wrapping(error)
      // A rename can fail and be done all the same.
      throw names(current, in: directory) == false ? .before(error) : .unknown(error)
    }
    do {
      try directory.syncFolder("")
    } catch {
      throw .unknown(LedgerError.wrapping(error))
    }
  }

  /// Whether CURRENT has these bytes; nil when that cannot be known.
  private static func names(_ current: [UInt8], in directory: any LedgerDirectory) -> Bool? {
    do {
      let most = UInt64(CurrentFile.byteCount)
      return try directory.contents(of: LedgerNames.current, atMost: most) == current
    } catch let error as LedgerError where error.code == .notFound {
      return false
    } catch {
      return nil
    }
  }

  static func removeIfThere(_ name: String, in directory: any LedgerDirectory) throws {
    do {
      try directory.unlink(name)
    } catch let error as LedgerError where error.code == .notFound {}
  }
}
