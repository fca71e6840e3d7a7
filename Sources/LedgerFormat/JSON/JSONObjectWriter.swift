import LedgerCore

/// Writes a JSON object member by member, in the order of the calls.
///
/// ```swift
/// let bytes = JSONObjectWriter.object { json in
///   json.add("events", 739)
///   json.add("seconds", 0.25, decimals: 3)
///   json.addObject("segments") { $0.add("sealed", 2) }
/// }
/// // {"events":739,"seconds":0.250,"segments":{"sealed":2}}
/// ```
///
/// Keys are not checked for being unique: whoever writes an object knows them.
package struct JSONObjectWriter {
  private var bytes: [UInt8]
  /// Whether a comma is due before what comes next.
  private var needsComma = false

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The bytes of an object.
  package static func object(_ members: (inout JSONObjectWriter) -> Void) -> [UInt8] {
    var bytes: [UInt8] = []
    append(to: &bytes, members)
    return bytes
  }

  /// Appends an object.
  package static func append(
    to bytes: inout [UInt8], _ members: (inout JSONObjectWriter) -> Void
  ) {
    // Moved, not copied: two owners would copy the buffer at the first write.
    var writer = JSONObjectWriter([])
    swap(&writer.bytes, &bytes)
    writer.wrap(0x7b, 0x7d, members)
    swap(&writer.bytes, &bytes)
  }

  /// Adds a text.
  package mutating func add(_ key: String, _ text: String) {
    addKey(key)
    CanonicalJSON.append(text, to: &bytes)
  }

  /// Adds a time as text.
  package mutating func add(_ key: String, _ time: LedgerTime) {
    addKey(key)
    bytes.append(0x22)
    time.append(to: &bytes)
    bytes.append(0x22)
  }

  /// Adds the text of an id.
  package mutating func add(_ key: String, _ id: TaskID) {
    guard let uuid = id.uuid else { return add(key, id.text) }
    addKey(key)
    bytes.append(0x22)
    uuid.appendText(to: &bytes)
    bytes.append(0x22)
  }

  /// Adds a replica with its own count of an event as text, `<replica>/12`.
  package mutating func add(_ key: String, _ replica: ReplicaID, count: UInt64) {
    addKey(key)
    bytes.append(0x22)
    replica.uuid.appendText(to: &bytes)
    bytes.append(0x2f)
    bytes.append(contentsOf: String(count).utf8)
    bytes.append(0x22)
  }

  /// Adds a boolean.
  package mutating func add(_ key: String, _ flag: Bool) {
    addKey(key)
    CanonicalJSON.append(.bool(flag), to: &bytes)
  }

  /// Adds an integer in full.
  package mutating func add(_ key: String, _ number: some BinaryInteger) {
    addKey(key)
    if let small = Int64(exactly: number) {
      CanonicalJSON.append(small, to: &bytes)
    } else {
      bytes.append(contentsOf: String(number).utf8)
    }
  }

  /// Adds a number rounded to so many decimals, or null for one that JSON does not have.
  package mutating func add(_ key: String, _ number: Double, decimals: Int) {
    addKey(key)
    bytes.append(contentsOf: DecimalText.text(number, decimals: decimals).utf8)
  }

  /// Adds the value of a field.
  package mutating func add(_ key: String, _ value: Value) {
    addKey(key)
    CanonicalJSON.append(value, to: &bytes)
  }

  /// Adds an array of texts.
  package mutating func add(_ key: String, _ texts: some Sequence<String>) {
    addKey(key)
    wrap(0x5b, 0x5d) { array in
      for text in texts {
        array.addComma()
        CanonicalJSON.append(text, to: &array.bytes)
      }
    }
  }

  /// Adds bytes that are JSON already, such as a document.
  package mutating func add(_ key: String, json: some Sequence<UInt8>) {
    addKey(key)
    bytes.append(contentsOf: json)
  }

  /// Adds an object.
  package mutating func addObject(
    _ key: String, _ members: (inout JSONObjectWriter) -> Void
  ) {
    addKey(key)
    wrap(0x7b, 0x7d, members)
  }

  /// Adds an array of objects, one per element.
  package mutating func addObjects<Element>(
    _ key: String, _ elements: some Sequence<Element>,
    _ members: (inout JSONObjectWriter, Element) -> Void
  ) {
    addKey(key)
    wrap(0x5b, 0x5d) { array in
      for element in elements {
        array.addComma()
        array.wrap(0x7b, 0x7d) { members(&$0, element) }
      }
    }
  }

  private mutating func addKey(_ key: String) {
    addComma()
    CanonicalJSON.append(key, to: &bytes)
    bytes.append(0x3a)
  }

  private mutating func addComma() {
    if needsComma { bytes.append(0x2c) }
    needsComma = true
  }

  private mutating func wrap(
    _ open: UInt8, _ close: UInt8, _ contents: (inout JSONObjectWriter) -> Void
  ) {
    bytes.append(open)
    needsComma = false
    contents(&self)
    bytes.append(close)
    needsComma = true
  }
}
