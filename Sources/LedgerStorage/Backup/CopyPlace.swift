import LedgerCore
import LedgerFormat

/// Refuses to copy a ledger into its own folder, into one inside it, or around it.
///
/// Folders are told by what they are, not by the paths that lead to them: those can go through links, mounts and `..`.
package struct CopyPlace {
  private let source: String
  private let copy: String

  /// - Parameters:
  ///   - source: what messages call that which is copied.
  ///   - copy: what they call the copy.
  package init(of source: String, as copy: String) {
    self.source = source
    self.copy = copy
  }

  /// - Throws: `alreadyExists` where one of the folders is the other, or lies in it.
  package func check(
    _ target: any LedgerDirectory, apartFrom source: any LedgerDirectory
  ) throws(LedgerError) {
    let (there, here) = try LedgerError.typing { (try target.lineage(), try source.lineage()) }
    guard let copy = there.first, let original = here.first else { return }
    if copy == original { throw refusal("it is the folder of \(self.source)", target.path) }
    if there.contains(original) { throw refusal(inside, target.path) }
    if here.contains(copy) { throw refusal("\(self.source) lies inside it", target.path) }
  }

  /// Refuses to make a folder in that of the source.
  ///
  /// - Parameter parent: where it is to be made.
  package func check(
    _ path: String, newIn parent: any LedgerDirectory, apartFrom source: any LedgerDirectory
  ) throws(LedgerError) {
    let (there, here) = try LedgerError.typing { (try parent.lineage(), try source.lineage()) }
    if let source = here.first, there.contains(source) { throw refusal(inside, path) }
  }

  private var inside: String { "it lies inside the folder of \(source)" }

  private func refusal(_ found: String, _ path: String) -> LedgerError {
    LedgerError(
      .alreadyExists, "cannot make \(copy)", path: path, cause: found,
      hint: "name a folder elsewhere, best on another disk; nothing was changed")
  }
}
