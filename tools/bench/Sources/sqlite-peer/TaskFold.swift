import BenchSupport

/// The state that a table of events leaves: one document a task, the last writer of a field wins.
///
/// Values stay JSON text. Nothing is decoded that the state does not need, as a program tuned for
/// this very table would do it.
struct TaskFold {
  struct Document {
    var body = TextSlot()
    var due = TextSlot()
    var priority = TextSlot()
    var tags = TextSlot()
    var isCompleted = false
    var isDeleted = false
  }

  private var indexes: [TaskKey: Int] = [:]
  private var documents: [Document] = []
  private var unused: [Int] = []
  private var arena = TextArena()

  var taskCount: Int { indexes.count }

  mutating func apply(
    kind: UnsafeBufferPointer<UInt8>, task: UnsafeBufferPointer<UInt8>,
    payload: UnsafeBufferPointer<UInt8>
  ) throws {
    guard let key = TaskKey(task) else {
      throw BenchError("not an id of the workload: \(task.string)", exitCode: 65)
    }
    if kind.equals("evict") {
      if let index = indexes.removeValue(forKey: key) { unused.append(index) }
      return
    }
    try set(payload, at: index(of: key))
  }

  private mutating func index(of key: TaskKey) -> Int {
    if let index = indexes[key] { return index }
    let index: Int
    if let free = unused.popLast() {
      index = free
      documents[index] = Document()
    } else {
      index = documents.count
      documents.append(Document())
    }
    indexes[key] = index
    return index
  }

  private mutating func set(_ payload: UnsafeBufferPointer<UInt8>, at index: Int) throws {
    var members = try JSONMembers(payload)
    while try members.next() {
      let key = members.key
      if key.equals("body") {
        arena.store(members.value, in: &documents[index].body)
      } else if key.equals("isCompleted") {
        documents[index].isCompleted = members.value.equals("true")
      } else if key.equals("isDeleted") {
        documents[index].isDeleted = members.value.equals("true")
      } else if key.equals("priority") {
        arena.store(members.value, in: &documents[index].priority)
      } else if key.equals("due") {
        arena.store(members.value, in: &documents[index].due)
      } else if key.equals("tags") {
        arena.store(members.value, in: &documents[index].tags)
      } else {
        throw BenchError("not a field of the workload: \(key.string)", exitCode: 65)
      }
    }
  }

  /// Prints the documents as `ledger replay --tasks` does, so that the two can be compared.
  func write(to out: OutputBuffer) throws {
    for (key, index) in indexes.sorted(by: { $0.key < $1.key }) {
      let document = documents[index]
      out.append("{\"_id\":\"")
      key.write(to: out)
      out.append("\",\"body\":")
      if let body = document.body.bytes { out.append(body) } else { out.append("\"\"") }
      if let due = document.due.bytes {
        out.append(",\"due\":")
        out.append(due)
      }
      out.append(document.isCompleted ? ",\"isCompleted\":true" : ",\"isCompleted\":false")
      out.append(document.isDeleted ? ",\"isDeleted\":true" : ",\"isDeleted\":false")
      if let priority = document.priority.bytes {
        out.append(",\"priority\":")
        out.append(priority)
      }
      if let tags = document.tags.bytes {
        out.append(",\"tags\":")
        out.append(tags)
      }
      out.append("}\n")
    }
    try out.finish()
  }
}
