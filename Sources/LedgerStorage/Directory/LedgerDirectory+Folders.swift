import LedgerCore

/// The folders inside a ledger's folder.
///
/// Each of them is a folder, and no link to one: what is written through a link is not made durable with the ledger, and what is read
/// through it is not the ledger's. So whoever uses files in one makes sure of that.
extension LedgerDirectory {
  /// Requires a folder to be one, where anything has that name.
  ///
  /// - Throws: `io` for something else.
  package func checkFolder(_ name: String) throws(LedgerError) {
    do {
      try open(name, .folder).close()
    } catch let error as LedgerError where error.code == .notFound {
    } catch {
      throw LedgerError.wrapping(error)
    }
  }

  /// Makes a folder where there is none, durable when this returns.
  package func ensureFolder(_ name: String) throws {
    do {
      try makeFolder(name)
    } catch let error as LedgerError where error.code == .alreadyExists {
      try checkFolder(name)
    }
    try syncFolder("")
  }
}
