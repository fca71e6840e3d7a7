extension String {
  /// The text up to a length that suits a message: what somebody gave may be as long as memory is.
  package var shortened: String { shortened(to: 64) }

  /// The text up to so many characters; whole where it has no more bytes than that.
  package func shortened(to limit: Int) -> String {
    guard utf8.count > limit else { return self }
    let kept = unicodeScalars.prefix(limit)
    return kept.endIndex == unicodeScalars.endIndex
      ? self : String(String.UnicodeScalarView(kept)) + "…"
  }

  /// A path as messages show it: whole where a system can open it.
  package var shortenedPath: String { shortened(to: 4096) }
}
