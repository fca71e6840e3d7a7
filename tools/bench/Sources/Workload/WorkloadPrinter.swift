import BenchSupport

/// Prints the stream, or the state that it leaves, in the forms that the benchmarks read.
public struct WorkloadPrinter {
  public enum Form: Sendable {
    /// Lines for `ledger apply`; a transaction for each line, or for each so many.
    case commands(withTimes: Bool, perTransaction: Int = 1)
    /// What the commands record: toggles and deletes with their values, rewrites with what differs.
    case events
    /// The documents that exist after the last event, as `ledger replay --tasks` prints them.
    case state
    /// The count of tasks that exist; an old, a young and the hottest task with their events.
    case ids
  }

  private let out: OutputBuffer
  private var workload: Workload

  public init(seed: UInt64, to out: OutputBuffer) {
    self.out = out
    workload = Workload(seed: seed)
  }

  public mutating func print(_ form: Form, events count: Int) throws {
    for sequence in 1...max(count, 1) where count > 0 && !out.hasFailed {
      let event = workload.next()
      switch form {
      case .commands(let withTimes, let perTransaction):
        let transaction = perTransaction > 1 ? (sequence - 1) / perTransaction + 1 : nil
        printCommand(event, withTime: withTimes, transaction: transaction)
      case .events: printEvent(event, sequence: sequence)
      case .state, .ids: break
      }
    }
    switch form {
    case .commands, .events: break
    case .state: printState()
    case .ids: printIDs()
    }
    try out.finish()
  }

  private func printCommand(_ event: WorkloadEvent, withTime: Bool, transaction: Int?) {
    out.append("{\"kind\":\"")
    out.append(name(of: event.kind))
    out.append("\",\"task\":\"")
    out.append(id: workload.tasks[event.task])
    out.append(byte: UInt8(ascii: "\""))
    if !event.named.isEmpty {
      out.append(",\"set\":{")
      out.append(event.named, of: workload.tasks[event.task])
      out.append(byte: UInt8(ascii: "}"))
    }
    if withTime {
      out.append(",\"time\":\"")
      out.append(time: event.time)
      out.append(byte: UInt8(ascii: "\""))
    }
    out.append(",\"author\":\"")
    out.append(Vocabulary.authors[event.author])
    out.append(byte: UInt8(ascii: "\""))
    if let transaction {
      out.append(",\"transaction\":")
      out.append(decimal: transaction)
    }
    out.append("}\n")
  }

  private func printEvent(_ event: WorkloadEvent, sequence: Int) {
    out.append("{\"seq\":")
    out.append(decimal: sequence)
    out.append(",\"ts\":")
    out.append(decimal: event.time)
    out.append(",\"author\":\"")
    out.append(Vocabulary.authors[event.author])
    out.append("\",\"kind\":\"")
    out.append(name(of: event.kind))
    out.append("\",\"task\":\"")
    out.append(id: workload.tasks[event.task])
    out.append("\",\"payload\":{")
    out.append(event.changed, of: workload.tasks[event.task])
    out.append("}}\n")
  }

  /// Ids sort by creation, so the order of creation is the order of the canonical state.
  private func printState() {
    for task in workload.tasks where task.life != .evicted {
      out.append("{\"_id\":\"")
      out.append(id: task)
      out.append(byte: UInt8(ascii: "\""))
      out.append(task.fields, of: task, afterMember: true)
      out.append("}\n")
    }
  }

  private func printIDs() {
    let tasks = workload.tasks
    let usual = tasks.indices.filter { tasks[$0].life == .live && tasks[$0].eventCount >= 4 }
    let hot = tasks.indices.max { tasks[$0].eventCount < tasks[$1].eventCount }
    // An old task lies where nobody has looked for long: behind the hot ones, in the first tenth.
    let old = usual.first { $0 >= max(Workload.hotCount, tasks.count / 20) }
    out.append("{\"tasks\":")
    out.append(decimal: tasks.count { $0.life != .evicted })
    out.append(byte: UInt8(ascii: ","))
    printID("\"old\":\"", "\"old_events\":", old)
    out.append(byte: UInt8(ascii: ","))
    printID("\"young\":\"", "\"young_events\":", usual.last)
    out.append(byte: UInt8(ascii: ","))
    printID("\"hot\":\"", "\"hot_events\":", hot)
    out.append("}\n")
  }

  private func printID(_ label: StaticString, _ countLabel: StaticString, _ index: Int?) {
    out.append(label)
    if let index { out.append(id: workload.tasks[index]) }
    out.append("\",")
    out.append(countLabel)
    out.append(decimal: index.map { Int(workload.tasks[$0].eventCount) } ?? 0)
  }

  private func name(of kind: WorkloadEvent.Kind) -> StaticString {
    switch kind {
    case .upsert: "upsert"
    case .update: "update"
    case .toggle: "toggle"
    case .delete: "delete"
    case .evict: "evict"
    }
  }
}
