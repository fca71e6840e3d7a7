extension String {
  /// The text as a shell reads it as one word: as it stands where it is plain, else in single quotes.
  package var shellWord: String {
    let isPlain = utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x61...0x7a).contains(byte | 0x20)
        || Self.plainSigns.contains(byte) || byte >= 0x80
    }
    guard !isPlain || isEmpty else { return self }
    let quoted = utf8.split(separator: 0x27, omittingEmptySubsequences: false).map {
      String(Substring($0))
    }
    return "'\(quoted.joined(separator: "'\\''"))'"
  }

  private static let plainSigns = Array("/._-+,:@%=".utf8)
}
