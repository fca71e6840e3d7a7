/// What became of a task, in a word; and of what is only tried, what would become of it.
enum ChangeWord: String {
  case created, updated, completed, reopened, deleted, evicted, restored, unchanged
  /// An evicted task is there again, deleted or not.
  case broughtBack = "brought back"

  /// What a dry run says.
  var conditional: String {
    switch self {
    case .created: "would create"
    case .updated: "would update"
    case .completed: "would complete"
    case .reopened: "would reopen"
    case .deleted: "would delete"
    case .evicted: "would evict"
    case .restored: "would restore"
    case .broughtBack: "would bring back"
    case .unchanged: "unchanged"
    }
  }

  /// Whether it leaves open which fields changed, and to what: the others say it.
  var tellsFields: Bool { self == .updated }

  var style: TextStyle {
    switch self {
    case .unchanged: .dim
    case .deleted, .evicted: .red
    case .updated, .reopened: .yellow
    case .created, .completed, .restored, .broughtBack: .green
    }
  }
}
