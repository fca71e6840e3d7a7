/// The order of a list: by one field after another, then by id.
///
/// Within a field missing values come first, then booleans, numbers, dates, other texts and arrays; descending, the other way
/// round. Where a key says so, missing values come last all the same. Ties are broken by the bytes of the ids, ascending.
///
/// ```swift
/// try ledger.find("!isDeleted", sortedBy: "priority:desc,due")
/// try ledger.find("!isDeleted", sortedBy: "due:last")              // what has no date comes last
/// try ledger.find("!isDeleted", sortedBy: [.init("due"), .init("body", descending: true)])
/// ```
public struct TaskSort: Hashable, Sendable {
  /// A field to sort by.
  public struct Key: Hashable, Sendable {
    /// The field, or `_id`.
    public var field: FieldName
    /// Whether the greatest value comes first.
    public var descending: Bool
    /// Whether tasks without the field come last, also where the least value comes first.
    public var missingLast: Bool

    /// Makes a key.
    public init(_ field: Field, descending: Bool = false, missingLast: Bool = false) {
      self.field = field.name
      self.descending = descending
      self.missingLast = missingLast
    }
  }

  /// What to sort by, the first one first; none: by id alone.
  public var keys: [Key]

  /// By the keys, then by id.
  public init(_ keys: [Key] = []) { self.keys = keys }

  /// By id alone.
  public static let byID = TaskSort()
}

extension TaskSort: ExpressibleByArrayLiteral, ExpressibleByStringLiteral {
  public init(arrayLiteral elements: Key...) { self.init(elements) }

  /// Reads a literal.
  ///
  /// - Precondition: the literal is an order as `init(_:)` reads it.
  public init(stringLiteral value: String) {
    do {
      self = try TaskSort.reading(value)
    } catch {
      preconditionFailure("\(error)")
    }
  }
}

/// Where a task stands in an order; the least comes first.
package struct TaskPlace: Comparable, Sendable {
  /// The id of the task.
  package let id: TaskID
  private let values: [ComparedValue]
  private let keys: [TaskSort.Key]

  /// The place of a task in an order.
  package init(_ task: TaskItem, in order: TaskSort) {
    id = task.id
    keys = order.keys
    values = order.keys.map { task.compared($0.field) }
  }

  package static func == (left: TaskPlace, right: TaskPlace) -> Bool {
    left.order(before: right) == 0
  }

  package static func < (left: TaskPlace, right: TaskPlace) -> Bool {
    left.order(before: right) < 0
  }

  private func order(before other: TaskPlace) -> Int {
    for (index, key) in keys.enumerated() {
      let order = ComparedValue.sortOrder(values[index], other.values[index])
      guard order != 0 else { continue }
      if key.missingLast, values[index].isMissing != other.values[index].isMissing {
        return values[index].isMissing ? 1 : -1
      }
      return key.descending ? -order : order
    }
    return id == other.id ? 0 : (id < other.id ? -1 : 1)
  }
}
