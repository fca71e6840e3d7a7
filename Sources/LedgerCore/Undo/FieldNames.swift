/// A set of field names that tells which of them exclude another: the prefixes and extensions of that.
struct FieldNames {
  private let names: Set<FieldName>
  /// Sorted; empty where none is dotted, for then none extends another.
  private let sorted: [FieldName]

  init(_ names: some Sequence<FieldName>) {
    self.names = Set(names)
    sorted = self.names.contains(where: \.isDotted) ? self.names.sorted() : []
  }

  /// Whether a name is there.
  func contains(_ name: FieldName) -> Bool { names.contains(name) }

  /// Whether a name is there, or one that excludes it.
  func touches(_ name: FieldName) -> Bool {
    contains(name) || (name.isDotted && name.prefixes.contains(where: contains))
      || !extensions(of: name).isEmpty
  }

  /// Those that exclude a name.
  func colliding(with name: FieldName) -> [FieldName] {
    let prefixes = name.isDotted ? name.prefixes.filter(contains) : []
    return prefixes + extensions(of: name)
  }

  private func extensions(of name: FieldName) -> ArraySlice<FieldName> {
    sorted[sorted.extensions(ofName: name.text) { $0.text }]
  }
}
