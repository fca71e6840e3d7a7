import LedgerCore

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Cuts a stream of byte chunks into lines.
///
/// A byte-order mark at the start, CRLF, empty and blank lines, and a missing last newline are fine. Lines are numbered
/// from 1; empty ones count, and are not given out.
///
/// Give it a chunk, take lines until there is none, and so on; at the end call `finish()` and take the rest:
///
/// ```swift
/// splitter.append(chunk)
/// while let line = try splitter.next() { … }
/// ```
///
/// A line that is too long is refused as soon as that is known, and never held whole; the next call goes on after it.
package struct LineSplitter: Sendable {
  /// A line that is not blank.
  package struct Line: Sendable {
    /// Its number, from 1.
    package let number: Int
    /// Its bytes without the newline.
    package let bytes: ArraySlice<UInt8>
  }

  /// The longest line: a transaction of the largest size, and some room for what stands around it.
  package static let lineBytesMax = Limits.transactionBytesMax + 1 << 16

  private let lineBytesMax: Int
  private var buffer: [UInt8] = []
  /// Where the line that is being looked for starts.
  private var start = 0
  /// Up to where no newline is.
  private var searched = 0
  private var number = 0
  private var isFinished = false
  private var isAtStreamStart = true
  /// Whether the rest of a line that was refused is being passed.
  private var isDropping = false

  /// - Parameter lineBytesMax: The longest line; tests use a smaller one.
  package init(lineBytesMax: Int = Self.lineBytesMax) { self.lineBytesMax = lineBytesMax }

  /// Adds what was read.
  package mutating func append(_ chunk: ArraySlice<UInt8>) {
    if start > 0 {
      buffer.removeSubrange(..<start)
      searched -= start
      start = 0
    }
    buffer.append(contentsOf: chunk)
  }

  /// Says that nothing follows.
  package mutating func finish() { isFinished = true }

  /// The next line that is not blank; nil when more must be appended, or when all was read.
  ///
  /// - Throws: `LedgerError` with code `badLine` for a line that is too long.
  package mutating func next() throws(LedgerError) -> Line? {
    guard passByteOrderMark() else { return nil }
    while let range = nextRange() {
      if isDropping {
        isDropping = false
        continue
      }
      number += 1
      guard range.count <= lineBytesMax else { throw tooLong() }
      let line = buffer[range]
      if Self.isBlank(line) { continue }
      return Line(number: number, bytes: line.last == 0x0d ? line.dropLast() : line)
    }
    try boundPending()
    return nil
  }

  /// Looks at the first three bytes once they are there; false while they are not.
  private mutating func passByteOrderMark() -> Bool {
    guard isAtStreamStart else { return true }
    let mark: [UInt8] = [0xef, 0xbb, 0xbf]
    guard buffer.count >= mark.count || isFinished || !mark.starts(with: buffer) else {
      return false
    }
    isAtStreamStart = false
    if buffer.starts(with: mark) { start = mark.count }
    searched = start
    return true
  }

  /// The range of the next line without its newline, which is passed.
  private mutating func nextRange() -> Range<Int>? {
    if let newline = newline(from: searched) {
      defer { start = newline + 1 }
      searched = newline + 1
      return start..<newline
    }
    searched = buffer.count
    guard isFinished, start < buffer.count else { return nil }
    defer { start = buffer.count }
    return start..<buffer.count
  }

  /// The first newline at or after a place.
  private func newline(from start: Int) -> Int? {
    buffer.withUnsafeBytes { bytes in
      guard start < bytes.count, let base = bytes.baseAddress,
        let found = memchr(base + start, 0x0a, bytes.count - start)
      else { return nil }
      return UnsafeRawPointer(found) - base
    }
  }

  /// Lets go of the start of a line that is, or is already known to be, too long.
  private mutating func boundPending() throws(LedgerError) {
    let isTooLong = !isDropping && buffer.count - start > lineBytesMax
    guard isDropping || isTooLong else { return }
    start = buffer.count
    guard isTooLong else { return }
    isDropping = true
    number += 1
    throw tooLong()
  }

  private func tooLong() -> LedgerError {
    var error = LedgerError(
      .badLine, "line \(number): the line is longer than \(lineBytesMax) bytes, which is the most",
      hint: "cut it into several lines; `transaction` holds them together")
    error.line = number
    return error
  }

  private static func isBlank(_ line: ArraySlice<UInt8>) -> Bool {
    line.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0d }
  }
}
