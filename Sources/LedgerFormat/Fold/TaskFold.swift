import LedgerCore

/// Folds the events of one task that come in order of their stamps.
///
/// A field's slot holds where its newest value lies; nothing is copied before the task's last event is seen.
final class TaskFold {
  /// The newest value of a field in the task's present life.
  struct Slot {
    var bytes = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    /// The life to which it belongs: any other number is that of an earlier task or life.
    var life: UInt64 = 0
    /// Its event's place among the task's events.
    var order: UInt32 = 0
    var tag: UInt8 = 0
    /// Whether a prefix or extension that was set later hides it; valid after `finish()`.
    var isHidden = false
  }

  private let slots: UnsafeMutablePointer<Slot>
  private let touched: UnsafeMutablePointer<UInt32>
  private let fields: FieldTable
  @exclusivity(unchecked) private(set) var touchedCount = 0
  @exclusivity(unchecked) private(set) var exists = false
  /// Whether the events' times ascend; they may repeat where `repeatsAllowed`.
  @exclusivity(unchecked) private(set) var ascends = true
  @exclusivity(unchecked) private var life: UInt64 = 1
  @exclusivity(unchecked) private var order: UInt32 = 0
  @exclusivity(unchecked) private var newestTime = Int64.min
  private let repeatsAllowed: Bool
  /// The memory of blocks that were left behind while slots may point into it.
  @exclusivity(unchecked) private var kept: [BlockBuffer] = []
  @exclusivity(unchecked) private var keptBytes = 0
  @exclusivity(unchecked) private var keptBytesMax = TaskFold.keptBytesStart

  /// How many bytes are kept before the slots' values are copied out of them.
  private static let keptBytesStart = 8 << 20

  /// - Parameter repeatsAllowed: whether of two events of the same time the later in sequence is the later-stamped one.
  init(fields: FieldTable, repeatsAllowed: Bool) {
    self.fields = fields
    let fieldCount = fields.fields.count
    slots = .allocate(capacity: fieldCount)
    slots.initialize(repeating: Slot(), count: fieldCount)
    touched = .allocate(capacity: fieldCount)
    touched.initialize(repeating: 0, count: fieldCount)
    self.repeatsAllowed = repeatsAllowed
  }

  deinit {
    slots.deallocate()
    touched.deallocate()
  }

  func startTask() {
    startLife()
    order = 0
    ascends = true
    newestTime = Int64.min
    if !kept.isEmpty {
      kept.removeAll(keepingCapacity: true)
      keptBytes = 0
      keptBytesMax = Self.keptBytesStart
    }
  }

  /// Takes over a block that the task leaves behind. When that gets much, the values that are the newest are copied, so
  /// that a task with a long history does not need the memory of all of it.
  func keep(_ block: BlockBuffer) {
    kept.append(block)
    keptBytes += block.byteCount
    if keptBytes > keptBytesMax { copyValues() }
  }

  private func copyValues() {
    let size = (0..<touchedCount).reduce(0) { $0 + slots[Int(touched[$1])].bytes.count }
    let copy = BlockBuffer(byteCount: size)
    var used = 0
    for index in 0..<touchedCount {
      let rank = Int(touched[index])
      slots[rank].bytes = copy.store(slots[rank].bytes, at: used)
      used += slots[rank].bytes.count
    }
    kept = [copy]
    keptBytes = size
    keptBytesMax = max(Self.keptBytesStart, 2 * size)
  }

  private func startLife() {
    life += 1
    touchedCount = 0
    exists = false
  }

  @inline(__always)
  func note(time: Int64) {
    if time < newestTime || (time == newestTime && !repeatsAllowed) { ascends = false }
    newestTime = time
  }

  /// Folds the next event.
  @inline(__always)
  func apply(_ plan: ShapePlan, _ shape: Int, _ values: inout ValueCursors) {
    order &+= 1
    let kind = plan.kind(shape)
    if kind == .upsert { exists = true }
    if kind == .evict { startLife() }
    for part in plan.parts(shape) {
      let (tag, bytes) = values.next(part.tag, plan)
      let rank = Int(part.rank)
      if slots[rank].life != life {
        slots[rank].life = life
        touched[touchedCount] = part.rank
        touchedCount += 1
      }
      slots[rank].bytes = bytes
      slots[rank].order = order
      slots[rank].tag = tag
    }
  }

  /// Passes over an event that is not taken.
  func skip(_ plan: ShapePlan, _ shape: Int, _ values: inout ValueCursors) {
    for part in plan.parts(shape) { _ = values.next(part.tag, plan) }
  }

  /// Ends the folding of the task: puts its fields in order and finds out which are hidden.
  func finish() {
    sortTouched()
    if fields.hasExtensions { markHidden() }
  }

  /// Calls `body` for each set field that is not hidden, in order of rank; after `finish()`.
  @inline(__always)
  func forEachVisible(_ body: (Int, Slot) -> Void) {
    for index in 0..<touchedCount {
      let rank = Int(touched[index])
      let slot = slots[rank]
      if slot.tag == ValueTag.unset || slot.isHidden { continue }
      body(rank, slot)
    }
  }

  private func sortTouched() {
    for index in stride(from: 1, to: touchedCount, by: 1) {
      // Few fields a task, mostly in order; a task with very many is sorted the other way.
      if touchedCount > 64 {
        var all = UnsafeMutableBufferPointer(start: touched, count: touchedCount)
        all.sort()
        return
      }
      let rank = touched[index]
      var place = index
      while place > 0, touched[place - 1] > rank {
        touched[place] = touched[place - 1]
        place -= 1
      }
      touched[place] = rank
    }
  }

  /// A set field is hidden by a prefix or extension that was set later, itself hidden or not.
  private func markHidden() {
    for index in 0..<touchedCount { slots[Int(touched[index])].isHidden = false }
    for index in 0..<touchedCount {
      let rank = Int(touched[index])
      guard isSet(rank) else { continue }
      for prefix in fields.fields[rank].prefixes where isSet(prefix) {
        let older = slots[prefix].order < slots[rank].order ? prefix : rank
        slots[older].isHidden = true
      }
    }
  }

  private func isSet(_ rank: Int) -> Bool {
    slots[rank].life == life && slots[rank].tag != ValueTag.unset
  }
}
