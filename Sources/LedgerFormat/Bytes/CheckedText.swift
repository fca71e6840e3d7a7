extension String {
  /// The text of some bytes; nil where they are not UTF-8.
  ///
  /// Most texts are ASCII, and a look at their high bits tells: the standard library's general check costs more than a short text.
  init?(checking bytes: some Collection<UInt8>) {
    let text = bytes.withContiguousStorageIfAvailable { bytes in
      bytes.reduce(0, |) < 0x80 ? String(decoding: bytes, as: UTF8.self) : nil
    }
    if let text = text ?? nil {
      self = text
    } else {
      self.init(validating: bytes, as: UTF8.self)
    }
  }
}
