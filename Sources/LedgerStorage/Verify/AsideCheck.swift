import LedgerCore
import LedgerFormat

/// Compares what recovery and repair moved aside with the records that say so.
struct AsideCheck {
  private let directory: any LedgerDirectory

  init(_ directory: any LedgerDirectory) { self.directory = directory }

  /// A file that a record names, and the digest that it had.
  private struct Kept {
    var name: String
    var digest: String
  }

  /// The names of everything that records say was moved aside.
  static func named(in manifest: Manifest) -> Set<ByteText> {
    Set(manifest.records.compactMap { $0.detail("aside").map(ByteText.init) })
  }

  /// What is to be said of each; what a repair found gone is not missed again.
  func files(_ manifest: Manifest) -> [VerifyReport.File] {
    // What is read through a link was not moved aside there.
    guard (try? directory.checkFolder(LedgerNames.aside)) != nil else { return [] }
    return kept(in: manifest).map { kept in
      var file = VerifyReport.File(name: kept.name, bytes: 0, status: .sound)
      do throws(LedgerError) {
        try check(kept, &file)
      } catch {
        let isGone = (try? directory.status(kept.name)) == .some(nil)
        file.status = isGone ? .missing(error) : VerifyReport.Status(error)
      }
      return file
    }
  }

  private func kept(in manifest: Manifest) -> [Kept] {
    let forgotten = Set(
      manifest.records.compactMap { $0.detail(RepairRecord.forgotten).map(ByteText.init) })
    return manifest.records.compactMap { record in
      guard let name = record.detail("aside"), let digest = record.detail("sha256"),
        !forgotten.contains(ByteText(name))
      else { return nil }
      return Kept(name: name, digest: digest)
    }
  }

  private func check(_ kept: Kept, _ file: inout VerifyReport.File) throws(LedgerError) {
    let source = FileSource(directory, kept.name)
    let size = try source.size()
    file.bytes = size
    let found = try source.withFile { (opened) throws(LedgerError) in
      try LedgerError.typing { try FileStretch(file: opened.file, range: 0..<size).digest().hex }
    }
    guard found == kept.digest else {
      throw LedgerError(
        .damaged, "bytes that were moved aside have the digest \(found), expected \(kept.digest)",
        path: source.path, hint: "run `ledger repair`, which records that they are gone")
    }
  }
}
