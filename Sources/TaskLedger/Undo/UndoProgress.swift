/// Counts the events with which an undo has to do, for who waits for it: those that are read, and those that are made.
final class UndoProgress {
  private var count: UInt64 = 0
  private let report: ((UInt64) -> Void)?

  init(_ report: ((UInt64) -> Void)? = nil) { self.report = report }

  func note(_ events: Int) {
    guard let report else { return }
    count += UInt64(events)
    report(count)
  }
}
