/// Where two rows of things first part, in words; nil where they are the same.
func difference<Element: Equatable>(_ found: [Element], _ expected: [Element]) -> String? {
  for (index, (one, other)) in zip(found, expected).enumerated() where one != other {
    return "at \(index): found \(one), expected \(other)"
  }
  guard found.count != expected.count else { return nil }
  let extra = found.count > expected.count ? found[expected.count] : expected[found.count]
  return "found \(found.count), expected \(expected.count), the first more is \(extra)"
}

extension PlainModel.Document: CustomStringConvertible {
  package var description: String { String(decoding: json, as: UTF8.self) }
}
