/// The names of authors.
package enum AuthorName {
  /// Checks the name of an author, wherever it comes from, and returns it.
  ///
  /// - Throws: `LedgerError` with code `invalid` that says which rule is broken.
  package static func checked(_ author: String) throws(LedgerError) -> String {
    let count = author.utf8.count
    guard count >= 1, count <= Limits.idBytesMax else {
      throw LedgerError(
        .invalid, "the author has \(count) bytes, expected 1 to \(Limits.idBytesMax)",
        hint: "name who makes the changes; a command takes the name from --author or LEDGER_AUTHOR")
    }
    guard !author.hasControlCharacter else {
      throw LedgerError(
        .invalid, "the author holds a control character", hint: "use printable characters only")
    }
    return author
  }
}
