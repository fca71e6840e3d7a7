/// A part of a document that a value is decoded from.
struct DecodedPart {
  enum Content {
    case value(Value)
    /// The fields below a name; "" for all.
    case fields(TaskItem, below: String)
    /// What is not there: for what asks for named fields, the same as an object without any.
    case nothing
  }

  let content: Content
  /// As messages have it: `tags[2]`.
  let place: String
  let codingPath: [any CodingKey]

  /// Decodes what stands here.
  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    if let leaf = try leaf(type) { return leaf }
    var part = self
    if let form = FoundationForm(type) {
      guard case .value(.text(let text)) = content, let source = form.source(of: text) else {
        throw mismatch(form.expected)
      }
      if case .uuid = form { try checkID(text) }
      part = DecodedPart(content: source, place: place, codingPath: codingPath)
    }
    do {
      return try T(from: TaskDecoder(part))
    } catch let error as DecodingError {
      var mismatch = mismatch(FoundationForm(type)?.expected ?? "\(type)")
      mismatch.cause = error.explanation
      throw mismatch
    }
  }

  /// The id of a task must come back as it is when the value is upserted again.
  private func checkID(_ text: String) throws(LedgerError) {
    guard place == "_id", !text.hasSameBytes(as: text.lowercased()) else { return }
    throw mismatch("a UUID in lower case")
  }

  /// What is a value by itself; nil for a type that must decode itself.
  private func leaf<T>(_ type: T.Type) throws(LedgerError) -> T? {
    switch type {
    case is Value.Type: return try value("a value") { $0 } as? T
    case is Bool.Type: return try value("true or false", \.bool) as? T
    case is String.Type: return try value("text", \.text) as? T
    case is Double.Type: return try value("a number", \.double) as? T
    case is Float.Type: return try value("a number of 32 bits", \.float) as? T
    case is TaskID.Type:
      return try value("a task id") { $0.text.flatMap { try? TaskID($0) } } as? T
    case is LedgerTime.Type:
      let expected = FoundationForm.date.expected
      return try value(expected) { $0.text.flatMap { try? LedgerTime($0) } } as? T
    case let integer as any FixedWidthInteger.Type: return try self.integer(integer) as? T
    default: return nil
    }
  }

  private func integer<I: FixedWidthInteger>(_ type: I.Type) throws(LedgerError) -> I {
    let isWhole = I.min <= Int64.min && I.max >= Int64.max
    let expected = isWhole ? "an integer" : "an integer from \(I.min) to \(I.max)"
    return try value(expected) { $0.int.flatMap { I(exactly: $0) } }
  }

  private func value<R>(
    _ expected: String, _ read: (Value) -> R?
  ) throws(LedgerError) -> R {
    guard case .value(let value) = content, let result = read(value) else {
      throw mismatch(expected)
    }
    return result
  }

  /// What is found here, in words.
  private var found: String {
    switch content {
    case .value(let value): value.description.shortened
    case .fields: "an object"
    case .nothing: "missing"
    }
  }

  func mismatch(_ expected: String) -> LedgerError {
    let what = place.isEmpty ? "it" : "the field \"\(place.shortened)\""
    return LedgerError(.invalid, "\(what) is \(found), expected \(expected)")
  }

  /// What stands under a key.
  func part(_ key: any CodingKey) -> DecodedPart {
    var part = Content.nothing
    var name = key.stringValue
    if case .fields(let item, let prefix) = content {
      if !prefix.isEmpty { name = "\(prefix).\(name)" }
      if let value = item[name] {
        part = .value(value)
      } else if item.hasFields(below: FieldName(unchecked: name)) {
        part = .fields(item, below: name)
      }
    }
    let below = place.isEmpty ? key.stringValue : "\(place).\(key.stringValue)"
    return DecodedPart(content: part, place: below, codingPath: codingPath + [key])
  }

  var isThere: Bool { if case .nothing = content { false } else { true } }

  /// The keys of an object, in order of their bytes.
  var keys: [String] {
    guard case .fields(let item, let prefix) = content else { return [] }
    let fields = item.fields
    let range =
      prefix.isEmpty ? fields.indices : fields.extensions(ofName: prefix) { $0.name }
    let start = prefix.isEmpty ? 0 : prefix.utf8.count + 1
    var keys: [String] = []
    // The names below one key need not stand together: "a.b", "a.b-c" and "a.b.c" can sort so.
    var seen: Set<ByteText> = []
    for field in fields[range] {
      let segment = String(Substring(field.name.utf8.dropFirst(start).prefix { $0 != 0x2e }))
      if seen.insert(ByteText(segment)).inserted { keys.append(segment) }
    }
    return keys
  }

  /// An element of an array.
  func element(_ value: Value, _ index: Int) -> DecodedPart {
    DecodedPart(
      content: .value(value), place: "\(place)[\(index)]",
      codingPath: codingPath + [TextKey(index)])
  }
}

extension TaskItem {
  /// Makes a value as an app declares it of the task.
  ///
  /// `body`, `isCompleted` and `isDeleted` are there even where they are not set. A dictionary, or a struct of which no field must be
  /// there, is made of nothing where the task has none of its fields.
  ///
  /// ```swift
  /// let readable = try ledger.find("!isDeleted").compactMap { try? $0.decoded(as: Chore.self) }
  /// ```
  /// - Throws: ``LedgerError`` with code `invalid` that names the field, what it is and what was expected; what the type throws by
  ///   itself.
  public func decoded<T: Decodable>(as type: T.Type = T.self) throws -> T {
    do {
      return try DecodedPart(content: .fields(shown, below: ""), place: "", codingPath: [])
        .decode(type)
    } catch var error as LedgerError {
      error.sentence = "the task \"\(id)\" cannot be read as \(type): \(error.sentence)"
      throw error
    }
  }
}

extension Value {
  /// The number with the precision of 32 bits; nil for any other value, and for one that is too large.
  fileprivate var float: Float? {
    guard let number = double.map({ Float($0) }), number.isFinite else { return nil }
    return number
  }
}

extension DecodingError {
  fileprivate var explanation: String {
    switch self {
    case .typeMismatch(_, let context), .valueNotFound(_, let context),
      .keyNotFound(_, let context), .dataCorrupted(let context):
      context.debugDescription
    @unknown default: "\(self)"
    }
  }
}
