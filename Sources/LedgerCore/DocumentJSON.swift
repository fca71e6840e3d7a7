/// The JSON of a document: fields under dotted names are shown as nested objects again.
extension CanonicalJSON {
  /// Appends the object whose members are `fields`; no name may be a prefix of another.
  package static func appendObject(
    _ fields: [(name: String, value: Value)], to bytes: inout [UInt8]
  ) {
    let members = fields.map { field in
      Member(path: field.name.utf8.split(separator: 0x2e), value: field.value)
    }
    appendObject(members.sorted(by: Member.precedes)[...], depth: 0, to: &bytes)
  }

  /// A field with its name cut into segments.
  private struct Member {
    let path: [Substring.UTF8View]
    let value: Value

    static func precedes(_ left: Member, _ right: Member) -> Bool {
      for (a, b) in zip(left.path, right.path) where !a.elementsEqual(b) {
        return String.utf16Precedes(a, b)
      }
      return left.path.count < right.path.count
    }
  }

  private static func appendObject(
    _ members: ArraySlice<Member>, depth: Int, to bytes: inout [UInt8]
  ) {
    bytes.append(0x7b)
    var index = members.startIndex
    while index < members.endIndex {
      if index > members.startIndex { bytes.append(0x2c) }
      let member = members[index]
      append(String(Substring(member.path[depth])), to: &bytes)
      bytes.append(0x3a)
      if member.path.count == depth + 1 {
        append(member.value, to: &bytes)
        index += 1
      } else {
        let end =
          members[index...].firstIndex { !$0.path[depth].elementsEqual(member.path[depth]) }
          ?? members.endIndex
        appendObject(members[index..<end], depth: depth + 1, to: &bytes)
        index = end
      }
    }
    bytes.append(0x7d)
  }
}
