import LedgerCore
import LedgerFormat
import TaskLedger

/// `ledger replay --projection`
struct ProjectionReport {
  private enum Name: String, CaseIterable { case activity, counts, list }

  private let name: Name
  private let session: Session
  private var out: Output { session.out }

  /// Nil when no projection is asked for.
  init?(_ session: Session) throws(LedgerError) {
    guard let text = session.arguments.value("projection") else { return nil }
    let known = Name.allCases.map(\.rawValue)
    guard let name = Name.allCases.first(where: { $0.rawValue.hasSameBytes(as: text) }) else {
      throw LedgerError(
        .usage,
        "--projection is \"\(text.shortened)\", expected one of \(known.joined(separator: ", "))",
        hint: Suggestion.sentence(
          Suggestion.closest(to: text, among: known).map { "--projection \($0)" },
          else: "`ledger replay --help` explains them"))
    }
    for other in ["expect", "tasks", "snapshot"] where session.arguments.has(other) {
      throw LedgerError(
        .usage, "replay is given --projection and --\(other)",
        hint: "give one of them: --\(other) is about the state")
    }
    self.name = name
    self.session = session
  }

  func write(at moment: Moment?) throws {
    let ledger = try session.openForReading()
    switch name {
    case .activity: try writeActivity(folded(ledger, moment, Activity()), at: moment)
    case .counts: try writeCounts(folded(ledger, moment, TaskCounts()).value, at: moment)
    case .list: try writeList(folded(ledger, moment, TaskList()).value)
    }
  }

  /// Replay is of the events alone unless a snapshot is asked for.
  private func folded<P: Projection>(
    _ ledger: Ledger, _ moment: Moment?, _ projection: P
  ) throws -> Projected<P> {
    let progress = session.progress("event")
    defer { progress.clear() }
    let eventsAlone = !session.arguments.has("from-snapshot")
    let report = { (count: UInt64) in progress.update(count) }
    guard let moment else {
      return try ledger.project(projection, eventsAlone: eventsAlone, progress: report)
    }
    let past = try session.reading { () throws(LedgerError) in try ledger.at(moment) }
    return try past.project(projection, eventsAlone: eventsAlone, progress: report)
  }

  private func writeCounts(_ counts: TaskCounts, at moment: Moment?) {
    if session.isJSON {
      return out.json { json in
        json.add("open", counts.open)
        json.add("done", counts.done)
        json.add("deleted", counts.deleted)
        json.add("tasks", counts.total)
        if let moment { json.add("at", moment) }
      }
    }
    let rows: [BarChart.Row] = [
      ("open", UInt64(counts.open)), ("done", UInt64(counts.done)),
      ("deleted", UInt64(counts.deleted)),
    ]
    write(rows, column: nil)
  }

  private func writeList(_ list: TaskList) {
    guard session.isJSON else {
      return TaskTable(list.tasks, on: out, LocalDays(session.context)).write()
    }
    for task in list.tasks where out.isOpen { out.machine(Array(task.json.utf8) + [0x0a]) }
  }

  /// A chart on a terminal; columns between tabs for other programs.
  ///
  /// - Parameter column: what the rows are of, for other programs.
  private func write(_ rows: [BarChart.Row], column: String?) {
    if out.isTerminal {
      for line in BarChart(rows, columns: out.columns).lines where out.isOpen { out.line(line) }
    } else {
      for row in rows where out.isOpen {
        let columns = [column, row.label, String(row.number)].compactMap(\.self)
        out.line(columns.joined(separator: "\t"))
      }
    }
  }

}

// Activity.
extension ProjectionReport {
  /// So many authors are shown on a terminal, the others in one row.
  private static let authorRowsMax = 20

  private func writeActivity(_ activity: Projected<Activity>, at moment: Moment?) {
    let (authors, days) = (activity.value.byAuthor, activity.value.byDay)
    if session.isJSON {
      writeJSON(activity, authors, days, at: moment)
    } else {
      if out.isTerminal {
        let summary = summary(activity.value, authors.count, days.count)
        for line in TextColumns.wrap(summary, to: out.columns) { out.line(line) }
      }
      writeAuthors(authors)
      writeDays(days)
    }
    guard activity.foldedThrough > 0 else { return }
    session.note(
      "the history up to event \(activity.foldedThrough) was folded: what was done before cannot be told"
    )
  }

  private func summary(_ activity: Activity, _ authors: Int, _ days: Int) -> String {
    NumberText.count(activity.events.total, "event") + " by "
      + NumberText.count(authors, "author") + " on " + NumberText.count(days, "day")
  }

  private func writeJSON(
    _ activity: Projected<Activity>, _ authors: [Activity.AuthorRow], _ days: [Activity.DayRow],
    at moment: Moment?
  ) {
    for row in authors where out.isOpen {
      out.json { json in
        json.add("author", row.author)
        add(row.events, to: &json)
      }
    }
    for row in days where out.isOpen {
      out.json { json in
        json.add("day", Self.date(row.day, of: .day))
        add(row.events, to: &json)
      }
    }
    out.json { json in
      json.add("events", activity.value.events.total)
      json.add("authors", authors.count)
      json.add("days", days.count)
      if activity.foldedThrough > 0 { json.add("foldedThrough", activity.foldedThrough) }
      if let moment { json.add("at", moment) }
    }
  }

  private func add(_ events: EventCounts, to json: inout JSONObjectWriter) {
    json.add("events", events.total)
    for kind in EventKind.allCases where events[kind] > 0 {
      json.add(kind.description, events[kind])
    }
  }

  private func writeAuthors(_ authors: [Activity.AuthorRow]) {
    var rows = authors.map { (label: out.column($0.author), number: $0.events.total) }
    if out.isTerminal {
      if rows.count > Self.authorRowsMax {
        let others = rows[(Self.authorRowsMax - 1)...]
        let sum = others.reduce(0) { $0 &+ $1.number }
        rows.removeSubrange((Self.authorRowsMax - 1)...)
        rows.append((NumberText.count(others.count, "other"), sum))
      }
      if !rows.isEmpty { out.line() }
    }
    write(rows, column: "author")
  }

  /// Of so many rows at most a chart is easily read.
  private static let dateRowsMax = 62

  /// What dates are gathered by.
  private enum Period: Int {
    case day = 10
    case month = 7
    case year = 4
  }

  private static func date(_ day: LedgerTime, of period: Period) -> String {
    String(decoding: day.description.utf8.prefix(period.rawValue), as: UTF8.self)
  }

  private func writeDays(_ days: [Activity.DayRow]) {
    var rows = Self.rows(days, by: .day)
    if out.isTerminal {
      if rows.count > Self.dateRowsMax { rows = Self.rows(days, by: .month) }
      if rows.count > Self.dateRowsMax { rows = Self.rows(days, by: .year) }
      if !rows.isEmpty { out.line() }
    }
    write(rows, column: "day")
  }

  private static func rows(_ days: [Activity.DayRow], by period: Period) -> [BarChart.Row] {
    var rows: [BarChart.Row] = []
    for row in days {
      let label = date(row.day, of: period)
      if let last = rows.last, last.label.hasSameBytes(as: label) {
        rows[rows.count - 1].number &+= row.events.total
      } else {
        rows.append((label, row.events.total))
      }
    }
    return rows
  }
}
