extension TaskSort {
  /// Reads an order: names of fields between commas, each alone or with `:asc`, `:desc` or `:last` behind it, as in
  /// `priority:desc,due`; `due:last` is ascending, but with the tasks last that have no `due`.
  ///
  /// What follows the last colon of a part is the direction. A name that itself holds a comma stands in brackets and quotes, as
  /// in a query: `["odd, key"]:desc`.
  ///
  /// - Throws: ``LedgerError`` with code `invalid` for a part that is no name, or another direction.
  public init(_ text: String) throws(LedgerError) { self = try Self.reading(text) }

  static func reading(_ text: String) throws(LedgerError) -> TaskSort {
    guard text.utf8.count <= Query.textBytesMax else {
      throw LedgerError(
        .invalid, "the order has \(text.utf8.count) bytes, expected at most \(Query.textBytesMax)")
    }
    return TaskSort(try parts(text).map { (part) throws(LedgerError) in try key(part) })
  }

  /// What stands between the commas; those inside of quotes, behind a bracket, separate nothing.
  private static func parts(_ text: String) -> [String] {
    var parts: [String] = []
    var part: [UInt8] = []
    var quote: UInt8?
    var isEscaped = false
    for byte in text.utf8 {
      if let open = quote {
        if !isEscaped, byte == open { quote = nil }
        isEscaped = !isEscaped && byte == 0x5c
      } else if byte == 0x22 || byte == 0x27, part.last == 0x5b {
        quote = byte
      } else if byte == 0x2c {
        parts.append(String(decoding: part, as: UTF8.self))
        part = []
        continue
      }
      part.append(byte)
    }
    return parts + [String(decoding: part, as: UTF8.self)]
  }

  private static func key(_ text: String) throws(LedgerError) -> Key {
    var name = text
    var (descending, missingLast) = (false, false)
    if let colon = text.utf8.lastIndex(of: 0x3a), text.utf8.last != 0x5d {
      let direction = String(text[text.utf8.index(after: colon)...])
      guard ["asc", "desc", "last"].contains(where: { direction.hasSameBytes(as: $0) }) else {
        throw LedgerError(
          .invalid, "found \"\(direction.shortened)\" after the colon, expected asc, desc or last",
          hint: "where the colon belongs to the name of the field, add :asc or :desc")
      }
      name = String(text[..<colon])
      descending = direction.hasSameBytes(as: "desc")
      missingLast = direction.hasSameBytes(as: "last")
    }
    let isPlain = name.utf8.first != 0x5b
    let field = Field(isPlain ? try FieldName.typed(name) : try QueryParser.path(name))
    return Key(field, descending: descending, missingLast: missingLast)
  }
}
