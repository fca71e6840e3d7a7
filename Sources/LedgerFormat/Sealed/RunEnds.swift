import LedgerCore

/// Header and footer of a run: what has to be read before any other part of it can be.
package struct RunEnds: Sendable {
  package let footer: RunFooter
  package let layout: BlockLayout
  /// The length of the file.
  package let byteCount: UInt64

  /// Reads both, and makes sure that they fit each other.
  ///
  /// - Parameter kind: what the file must be: a sealed or salvaged segment, a baseline or a snapshot.
  package init(
    _ source: any ByteSource, kind: FileHeader.Kind = .sealed
  ) throws(LedgerError) {
    do throws(LedgerError) {
      let size = try source.size()
      guard size >= UInt64(FileHeader.byteCount + RunFooter.tailByteCount) else {
        throw LedgerError(.damaged, "a sealed segment has \(size) bytes")
      }
      let head = try source.read(at: 0, count: FileHeader.byteCount)
      var reader = ByteReader(head)
      var bytes: [UInt8] = []
      let header = try FileHeader(&reader, expecting: kind) { () throws(LedgerError) in
        bytes = try Self.footerBytes(source, size: size)
        try RunFooter.check(bytes, after: head, fileLength: size)
      }
      footer = try RunFooter(
        bytes, fileLength: size, kind: kind, hasFilter: RunFooter.hasFilter(header))
      byteCount = size
      layout = BlockLayout(oldestReader: header.oldestReader)
      guard footer.ledger == header.ledger else {
        throw LedgerError(.damaged, "header and footer name different ledgers", offset: 16)
      }
      guard footer.isContiguous(footerStart: size - UInt64(bytes.count)) else {
        throw LedgerError(.damaged, "the sections do not lie one after the other")
      }
    } catch {
      throw error.located(in: source.path)
    }
  }

  /// As many bytes as most footers have, with their tails.
  private static let footerBytesExpected: UInt64 = 288

  /// The footer with its tail.
  private static func footerBytes(
    _ source: any ByteSource, size: UInt64
  ) throws(LedgerError) -> [UInt8] {
    let count = min(size - UInt64(FileHeader.byteCount), footerBytesExpected)
    let end = try source.read(at: size - count, count: Int(count))
    let length =
      try RunFooter.length(fromTail: Array(end.suffix(RunFooter.tailByteCount)))
      + RunFooter.tailByteCount
    guard UInt64(length + FileHeader.byteCount) <= size else {
      throw LedgerError(.damaged, "the footer is longer than the file")
    }
    return length <= end.count
      ? Array(end.suffix(length)) : try source.read(at: size - UInt64(length), count: length)
  }

  /// Whether the run can hold a task, by its filter; nil where it has none.
  ///
  /// - Parameter source: the bytes of the run.
  package func mayHold(
    _ task: TaskID, in source: any ByteSource
  ) throws(LedgerError) -> Bool? {
    guard let filter = footer.filter else { return nil }
    return try RunFilter.mayHold(task, filter, of: footer.digestAfter, in: source)
  }
}
