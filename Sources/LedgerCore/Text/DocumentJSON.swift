/// The JSON of a document: fields under dotted names are shown as nested objects again.
extension CanonicalJSON {
  /// Appends the object whose members are `fields`, in any order; no name may be a prefix of another.
  package static func appendObject(
    _ fields: [(name: String, value: Value)], to bytes: inout [UInt8]
  ) {
    var previous: String?
    bytes.append(0x7b)
    for field in fields.sorted(by: { $0.name.precedesInDocument($1.name) }) {
      var name = field.name
      name.withUTF8 { appendKeys($0, after: previous, to: &bytes) }
      append(field.value, to: &bytes)
      previous = name
    }
    let depth = previous?.utf8.reduce(0) { $0 + ($1 == 0x2e ? 1 : 0) } ?? 0
    bytes.append(contentsOf: repeatElement(0x7d, count: depth + 1))
  }

  /// Closes the objects of the field before that are not those of this one, opens the others, and appends the last
  /// key.
  private static func appendKeys(
    _ name: UnsafeBufferPointer<UInt8>, after previous: String?, to bytes: inout [UInt8]
  ) {
    var start = 0
    if var previous {
      start = previous.withUTF8 { previous in
        let same = zip(name, previous).prefix { $0 == $1 }.count
        let closed = previous[same...].reduce(0) { $0 + ($1 == 0x2e ? 1 : 0) }
        bytes.append(contentsOf: repeatElement(0x7d, count: closed))
        return name[..<same].lastIndex(of: 0x2e).map { $0 + 1 } ?? 0
      }
      bytes.append(0x2c)
    }
    while true {
      let dot = name[start...].firstIndex(of: 0x2e)
      bytes.append(0x22)
      appendEscaped(UnsafeBufferPointer(rebasing: name[start..<(dot ?? name.count)]), to: &bytes)
      bytes.append(contentsOf: [0x22, 0x3a])
      guard let dot else { return }
      bytes.append(0x7b)
      start = dot + 1
    }
  }
}
