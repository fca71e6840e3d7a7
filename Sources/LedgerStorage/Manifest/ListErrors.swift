import LedgerCore
import LedgerFormat

extension LedgerError {
  /// CURRENT names a list of files that is older than what lies beside it.
  ///
  /// - Parameters:
  ///   - proof: what shows it, in words.
  ///   - end: the last event of the list.
  static func outdatedCurrent(
    _ proof: String, end: UInt64, in directory: any LedgerDirectory
  ) -> LedgerError {
    LedgerError(
      .damaged,
      "CURRENT is out of date: the list of files that it names ends with event \(end), and \(proof)",
      path: directory.pathOf(LedgerNames.current), hint: repairHint)
  }

  static func outdatedCurrent(
    _ word: DurableEnd, end: UInt64, in directory: any LedgerDirectory
  ) -> LedgerError {
    outdatedCurrent(
      "LOCK tells of event \(word.sequence) in another segment", end: end, in: directory)
  }

  /// Beside the list that CURRENT names lies something that was acknowledged on another list.
  static func contradictedCurrent(
    _ file: FileBeside, in directory: any LedgerDirectory
  ) -> LedgerError {
    LedgerError(
      .damaged,
      "CURRENT names one of two lists of files with different events: \(file.name) leads to another event \(file.sequence)",
      path: directory.pathOf(LedgerNames.current), hint: repairHint)
  }

  /// Which file of the list an error about it means, CURRENT or a manifest, by its name in the ledger's folder.
  ///
  /// A file that is not there is told of with the folder that lacks it, and only CURRENT is looked for first.
  func listFile(in directory: any LedgerDirectory) -> String {
    guard let path, !path.hasSameBytes(as: directory.path) else { return LedgerNames.current }
    let prefix = directory.path + "/"
    return path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path
  }
}
