import LedgerFormat
import LedgerStorage

/// Which tasks a list shows and in which order.
public struct TaskListOptions: Sendable {
  /// A field to sort by.
  public struct SortKey: Sendable, Hashable {
    /// The field's dotted name, or `_id`.
    public var field: String
    /// Whether the greatest value comes first.
    public var descending: Bool

    /// Makes a sort key.
    public init(_ field: String, descending: Bool = false) {
      self.field = field
      self.descending = descending
    }
  }

  /// Whether softly deleted tasks are shown too.
  public var includesDeleted: Bool
  /// What to sort by; a missing field sorts first when ascending, ties are broken by id. Nothing: by id.
  public var sortedBy: [SortKey]
  /// How many tasks at most; nil for all.
  public var limit: Int?

  /// Makes options.
  public init(includesDeleted: Bool = false, sortedBy: [SortKey] = [], limit: Int? = nil) {
    self.includesDeleted = includesDeleted
    self.sortedBy = sortedBy
    self.limit = limit
  }
}

extension TaskListOptions {
  /// Whether the first tasks in order of ids are all that is needed.
  var stopsEarly: Bool { sortedBy.isEmpty && limit != nil }
}

extension LogView {
  /// The tasks of a list at a cut. Where only the first ones are asked for, only their blocks are read.
  func tasks(_ options: TaskListOptions, _ cut: FoldCut) throws(LedgerError) -> [TaskItem] {
    var picker = TaskPicker(options)
    guard options.stopsEarly else {
      let state = try state(cut)
      for index in 0..<state.count { _ = picker.offer(state.item(at: index)) }
      return picker.result
    }
    try forEachPortionOfTasks(
      cut, restart: { picker = TaskPicker(options) },
      body: { portion in
        (0..<portion.count).allSatisfy { picker.offer(portion.item(at: $0)) } && !picker.isFull
      })
    return picker.result
  }
}

/// Picks the tasks of a list out of all, offered in order of ids.
struct TaskPicker {
  private let options: TaskListOptions
  private var picked: [TaskItem] = []

  init(_ options: TaskListOptions) { self.options = options }

  /// Whether no further task can belong.
  var isFull: Bool { options.stopsEarly && picked.count >= options.limit ?? .max }

  /// Takes a task if it belongs; false when no further one can.
  mutating func offer(_ item: TaskItem) -> Bool {
    guard !isFull else { return false }
    if options.includesDeleted || !item.isDeleted { picked.append(item) }
    return true
  }

  var result: [TaskItem] {
    guard !options.sortedBy.isEmpty else {
      return options.limit.map { Array(picked.prefix(max(0, $0))) } ?? picked
    }
    let rows = picked.enumerated().map { (place: $0, keys: keys(of: $1)) }
    let sorted = rows.sorted { left, right in
      for (index, key) in options.sortedBy.enumerated() {
        let order = Value.compare(left.keys[index], right.keys[index])
        if order != 0 { return key.descending ? order > 0 : order < 0 }
      }
      return left.place < right.place
    }
    return sorted.prefix(max(0, options.limit ?? sorted.count)).map { picked[$0.place] }
  }

  private func keys(of item: TaskItem) -> [Value?] {
    options.sortedBy.map { key in
      if key.field.hasSameBytes(as: "_id") { return .text(item.id.text) }
      return item[key.field] ?? (try? FieldName(key.field))?.defaultValue
    }
  }
}
