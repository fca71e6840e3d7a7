/// Text that lives as long as the fold, without an allocation for each value.
///
/// A new value goes where the old one was when it fits; otherwise it gets fresh room. Old room is
/// not given back: the fold is short and this is what makes it fast.
struct TextArena {
  private static let chunkSize = 1 << 20

  private var next: UnsafeMutablePointer<UInt8>?
  private var left = 0

  mutating func store(_ bytes: UnsafeBufferPointer<UInt8>, in slot: inout TextSlot) {
    guard let source = bytes.baseAddress else { return }
    if bytes.count > slot.capacity { slot = room(for: bytes.count) }
    slot.start?.update(from: source, count: bytes.count)
    slot.count = Int32(bytes.count)
  }

  private mutating func room(for count: Int) -> TextSlot {
    let capacity = (count + 15) & ~15
    if capacity > left {
      left = max(Self.chunkSize, capacity)
      next = UnsafeMutablePointer<UInt8>.allocate(capacity: left)
    }
    let slot = TextSlot(start: next, capacity: Int32(capacity), count: 0)
    next = next.map { $0 + capacity }
    left -= capacity
    return slot
  }
}

/// A field's JSON text; without a start, the field is not set.
struct TextSlot {
  var start: UnsafeMutablePointer<UInt8>?
  var capacity: Int32 = 0
  var count: Int32 = 0

  var bytes: UnsafeBufferPointer<UInt8>? {
    start.map { UnsafeBufferPointer(start: $0, count: Int(count)) }
  }
}
