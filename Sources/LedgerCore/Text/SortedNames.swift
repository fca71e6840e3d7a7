/// Searches in an array that is sorted by the bytes of its elements' names.
///
/// The extensions of a name stand together there, from the name with a dot to the name with the byte that follows
/// the dot; its prefixes stand anywhere before it ("a", "a-b", "a.c").
extension Array {
  /// The first index whose element has this name or one that sorts after it.
  func firstIndex(notBefore name: String, nameOf: (Element) -> String) -> Int {
    prefixCount { nameOf($0).bytesPrecede(name) }
  }

  /// The index of the element with this name.
  func index(ofName name: String, nameOf: (Element) -> String) -> Int? {
    let index = firstIndex(notBefore: name, nameOf: nameOf)
    guard index < count, nameOf(self[index]).hasSameBytes(as: name) else { return nil }
    return index
  }

  /// The indices of the elements whose names this name is a proper prefix of.
  func extensions(ofName name: String, nameOf: (Element) -> String) -> Range<Int> {
    let start = firstIndex(notBefore: name + ".", nameOf: nameOf)
    guard start < count, FieldName.isPrefix(name, of: nameOf(self[start])) else {
      return start..<start
    }
    return start..<firstIndex(notBefore: name + "/", nameOf: nameOf)
  }
}
