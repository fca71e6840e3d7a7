import LedgerCore

/// Says of most tasks that a run does not hold them, without its index or any block: a Bloom filter in pages, of which one is
/// read for a task.
///
/// Invariants:
/// - every bit of every task of the run is set: no task is ever hidden;
/// - it follows from the ids and the number of pages alone: whoever has read the ids can compare every byte of it.
package struct RunFilter: Sendable {
  /// The bits of a page, before its checksum.
  static let pageBitCount = 4096
  /// A page as it is stored, with its checksum.
  static let pageByteCount = pageBitCount / 8 + 8
  static let pageCountMax = 1 << 16
  /// About one task in twenty that is not in the run is taken for one that may be.
  private static let bitsPerTask = 6
  private static let bitsOfTask = 4

  /// What decides where the bits of a task are: the page by the upper sixteen bits, each bit in it by twelve others.
  package struct Mark: Sendable {
    fileprivate let bits: UInt64

    package init(_ task: TaskID) {
      if let uuid = task.uuid {
        bits = Self.mixed(Self.mixed(UInt64(PackedUUID.byteCount), uuid.high), uuid.low)
      } else {
        bits = task.withBytes { text in
          var mark = UInt64(text.count)
          for start in stride(from: 0, to: text.count, by: 8) {
            var word: UInt64 = 0
            for place in start..<start + 8 {
              word = word << 8 | (place < text.count ? UInt64(text[place]) : 0)
            }
            mark = Self.mixed(mark, word)
          }
          return mark
        }
      }
    }

    private static func mixed(_ mark: UInt64, _ word: UInt64) -> UInt64 {
      var mark = (mark ^ word) &* 0x9e37_79b9_7f4a_7c15
      mark = (mark ^ mark >> 32) &* 0xd6e8_feb8_6659_fd93
      return mark ^ mark >> 32
    }

    /// - Parameter count: how many pages there are, 1 to `pageCountMax`.
    fileprivate func page(of count: Int) -> Int { Int(((bits >> 48) &* UInt64(count)) >> 16) }

    /// The place of a bit in the page, of the first, second…
    fileprivate func place(_ number: Int) -> Int {
      Int(truncatingIfNeeded: bits >> UInt64(12 * number)) & (pageBitCount - 1)
    }
  }

  private let pageCount: Int
  private var bits: [UInt8]

  /// - Parameters:
  ///   - marks: of each task at least once.
  ///   - pageCount: 1 to `pageCountMax`.
  init(_ marks: [Mark], pageCount: Int) {
    self.pageCount = pageCount
    bits = [UInt8](repeating: 0, count: pageCount * Self.pageBitCount / 8)
    for mark in marks {
      let start = mark.page(of: pageCount) * Self.pageBitCount / 8
      for number in 0..<Self.bitsOfTask {
        let place = mark.place(number)
        bits[start + place / 8] |= 1 << UInt8(place % 8)
      }
    }
  }

  /// As many pages as so many tasks are given.
  static func pageCount(tasks: Int) -> Int {
    min(max(1, (tasks * bitsPerTask + pageBitCount - 1) / pageBitCount), pageCountMax)
  }

  /// About how many bytes the filter of a run has.
  package static func byteCount(tasks: UInt64) -> UInt64 {
    UInt64(pageCount(tasks: Int(clamping: min(tasks, 1 << 32))) * pageByteCount)
  }

  /// The section of a run that ends with a log digest: pages, each with its checksum.
  func encoded(of digest: Digest) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(pageCount * Self.pageByteCount)
    for page in 0..<pageCount {
      let content = bits[page * Self.pageBitCount / 8..<(page + 1) * Self.pageBitCount / 8]
      bytes.append(contentsOf: content)
      bytes.append(u64: Self.checksum(of: content, page, digest))
    }
    return bytes
  }

  /// It covers the run's log digest and the page's number: neither another run's page nor another of this one fits.
  private static func checksum(of content: ArraySlice<UInt8>, _ page: Int, _ digest: Digest)
    -> UInt64
  {
    var number: [UInt8] = []
    number.append(u64: UInt64(page))
    var hash = SHA256Stream()
    hash.update(digest)
    hash.update(number)
    content.withUnsafeBytes { hash.update($0) }
    return hash.finish().checksum
  }
}

extension RunFilter {
  /// How many pages a section has; nil where it cannot be one.
  static func pageCount(of section: RunFooter.Section) -> Int? {
    let (count, rest) = section.storedLength.quotientAndRemainder(
      dividingBy: UInt64(pageByteCount))
    guard rest == 0, count >= 1, count <= UInt64(pageCountMax),
      section.rawLength == section.storedLength
    else { return nil }
    return Int(count)
  }

  /// Whether a run can hold a task: reads the one page that tells.
  ///
  /// - Throws: `damaged` where the page does not fit its checksum: then it tells nothing.
  static func mayHold(
    _ task: TaskID, _ section: RunFooter.Section, of digest: Digest, in source: any ByteSource
  ) throws(LedgerError) -> Bool {
    guard let pageCount = pageCount(of: section) else { return true }
    let mark = Mark(task)
    let page = mark.page(of: pageCount)
    let offset = section.offset + UInt64(page * pageByteCount)
    let bytes = try source.read(at: offset, count: pageByteCount)
    var reader = ByteReader(bytes, pageByteCount - 8..<pageByteCount)
    let stored = try reader.u64()
    let found = checksum(of: bytes[..<(pageByteCount - 8)], page, digest)
    guard found == stored else {
      throw LedgerError(
        .damaged,
        "cannot read page \(page) of the filter: its checksum is \(hex(found)), expected \(hex(stored))",
        path: source.path, offset: offset, hint: LedgerError.repairHint)
    }
    for number in 0..<bitsOfTask {
      let place = mark.place(number)
      guard bytes[place / 8] & 1 << UInt8(place % 8) != 0 else { return false }
    }
    return true
  }
}
