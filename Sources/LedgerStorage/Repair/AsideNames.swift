import LedgerCore
import LedgerFormat

/// Names of files in the folder of what was moved aside.
struct AsideNames {
  private static let suffix = ".broken"

  /// Whether a file in that folder has a name that a repair gives.
  static func isBroken(_ file: String) -> Bool { file.hasSuffix(suffix) }

  /// Names bytes by what they are: a copy that is made twice is the same.
  func name(for file: String, _ digest: Digest) -> String {
    "\(LedgerNames.aside)/\(last(file))-\(hex(digest.checksum))\(Self.suffix)"
  }

  /// A name that nothing has yet.
  func free(for file: String, in directory: any LedgerDirectory) -> String {
    let file = last(file)
    let taken = Set(((try? directory.list(LedgerNames.aside)) ?? []).map(ByteText.init))
    var number = 1
    while taken.contains(ByteText("\(file)-\(number)\(Self.suffix)")) { number += 1 }
    return "\(LedgerNames.aside)/\(file)-\(number)\(Self.suffix)"
  }

  private func last(_ file: String) -> String {
    file.split(separator: "/").last.map(String.init) ?? file
  }
}

extension RepairPlan.Step {
  /// Says where the bytes of its file are going to be kept, if it is there.
  mutating func keepBytes(in directory: any LedgerDirectory) throws(LedgerError) {
    do {
      let opened = try directory.open(file, .read)
      defer { opened.close() }
      let size = try opened.size()
      let found = try FileStretch(file: opened, range: 0..<size).digest()
      (bytes, digest) = (size, found)
      aside = AsideNames().name(for: file, found)
    } catch let error as LedgerError where error.code == .notFound {
    } catch let error as LedgerError where error.isOfOtherThanFile {
      aside = AsideNames().free(for: file, in: directory)
    } catch {
      throw LedgerError.wrapping(error)
    }
  }
}
