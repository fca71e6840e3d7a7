extension String {
  /// The text up to a length that suits a message: what somebody gave may be as long as memory is.
  package var shortened: String {
    let limit = 64
    guard utf8.count > limit else { return self }
    let kept = unicodeScalars.prefix(limit)
    return kept.endIndex == unicodeScalars.endIndex
      ? self : String(String.UnicodeScalarView(kept)) + "…"
  }
}
