import BenchSupport

extension OutputBuffer {
  func append(id task: WorkloadTask) {
    appendHex(task.idHigh >> 32, digits: 8)
    append(byte: UInt8(ascii: "-"))
    appendHex(task.idHigh >> 16, digits: 4)
    append(byte: UInt8(ascii: "-"))
    appendHex(task.idHigh, digits: 4)
    append(byte: UInt8(ascii: "-"))
    appendHex(task.idLow >> 48, digits: 4)
    append(byte: UInt8(ascii: "-"))
    appendHex(task.idLow, digits: 12)
  }

  /// Writes the members `"name":value` of the given fields, sorted by name as canonical JSON is.
  func append(_ fields: FieldSet, of task: WorkloadTask, afterMember: Bool = false) {
    var needsComma = afterMember
    func member(_ name: StaticString) {
      if needsComma { append(byte: UInt8(ascii: ",")) }
      needsComma = true
      append(name)
    }
    if fields.contains(.body) {
      member("\"body\":")
      append(jsonText: BodyText(seed: task.bodySeed).bytes)
    }
    if fields.contains(.due) {
      member("\"due\":\"")
      append(day: Int(task.dueDay))
      append(byte: UInt8(ascii: "\""))
    }
    if fields.contains(.isCompleted) {
      member("\"isCompleted\":")
      append(boolean: task.isCompleted)
    }
    if fields.contains(.isDeleted) {
      member("\"isDeleted\":")
      append(boolean: task.life == .deleted)
    }
    if fields.contains(.priority) {
      member("\"priority\":")
      append(byte: UInt8(ascii: "0") + task.priority)
    }
    if fields.contains(.tags) {
      member("\"tags\":")
      append(task.tags)
    }
  }

  private func append(_ tags: TagList) {
    append(byte: UInt8(ascii: "["))
    for index in 0..<tags.count {
      if index > 0 { append(byte: UInt8(ascii: ",")) }
      append(jsonText: Vocabulary.tags[tags[index]])
    }
    append(byte: UInt8(ascii: "]"))
  }

  private func append(boolean: Bool) {
    append(boolean ? "true" : "false")
  }

  /// The vocabulary holds no control characters, so quote and backslash are all there is to escape.
  private func append(jsonText bytes: [UInt8]) {
    append(byte: UInt8(ascii: "\""))
    if bytes.contains(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) {
      for byte in bytes {
        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
          append(byte: UInt8(ascii: "\\"))
        }
        append(byte: byte)
      }
    } else {
      append(bytes)
    }
    append(byte: UInt8(ascii: "\""))
  }

  private func appendHex(_ value: UInt64, digits: Int) {
    for digit in stride(from: digits - 1, through: 0, by: -1) {
      let nibble = UInt8(truncatingIfNeeded: value >> UInt64(digit * 4)) & 15
      append(byte: nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10)
    }
  }
}
