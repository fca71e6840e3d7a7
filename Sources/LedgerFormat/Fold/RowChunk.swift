/// Memory that holds rows of a `FoldedState`.
final class RowChunk: @unchecked Sendable {
  // Unchecked: it is written by one builder alone, before any state that holds it is handed out.
  let start: UnsafeMutableRawPointer

  init(byteCount: Int) { start = .allocate(byteCount: byteCount, alignment: 16) }

  deinit { start.deallocate() }
}
