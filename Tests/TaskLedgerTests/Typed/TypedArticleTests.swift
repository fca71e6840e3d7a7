import Foundation
import TaskLedger
import Testing

struct Chore: Codable, Identifiable {
  var id = TaskID.random()
  var body: String
  var isCompleted = false
  var isDeleted = false
  var due: Date?
  var priority: Priority = .normal
  var place: Place?
  var labels: [String: Bool] = [:]
  var steps: [String] = []

  enum Priority: Int, Codable { case low, normal, high }
  struct Place: Codable {
    var name: String
    var room: String?
  }
  enum CodingKeys: String, CodingKey {
    case id = "_id"
    case body, isCompleted, isDeleted, due, priority, place, labels, steps
  }
}

struct `The article on typed documents` {
  @Test func `shows what compiles and does what it says`() async throws {
    let ledger = try Ledger.inMemory(author: "ann")
    var sweep = Chore(body: "Sweep", place: .init(name: "home", room: "kitchen"))
    sweep.labels = ["weekly": true, "dull": true]
    sweep.due = Date(timeIntervalSince1970: 1_800_000_000.25)
    try ledger.upsert(sweep)

    let chores = try ledger.find(
      as: Chore.self, "!isDeleted && place.name == 'home'", sortedBy: "due")
    let same = try ledger.task(sweep.id, as: Chore.self)
    let before = try ledger.at(.sequence(1)).find(as: Chore.self, "!isCompleted")
    #expect(chores.map(\.id) == [sweep.id] && before.map(\.id) == [sweep.id])
    #expect(same?.place?.room == "kitchen" && same?.labels == sweep.labels && same?.steps == [])
    #expect(same?.due == sweep.due)

    sweep.due = nil
    sweep.labels = [:]
    try ledger.upsert(sweep)
    #expect(try ledger.lastSequence == 1, "what is nil or gone is left alone")
    try ledger.update(sweep.id, as: Chore.self) {  // what is nil or gone afterwards is unset
      $0.due = nil
      $0.labels["weekly"] = nil
    }
    #expect(try ledger.audit(sweep.id).last?.changes.map(\.name.text) == ["due", "labels.weekly"])
    sweep.place = nil
    try ledger.upsert(sweep, unsettingNil: true)  // every optional that is nil is unset
    let rest = try ledger.task(sweep.id)?.fields.map(\.name)
    #expect(
      rest == ["body", "isCompleted", "isDeleted", "labels.dull", "priority", "steps"])

    for try await chores in try ledger.observe(as: Chore.self, "!isDeleted", sortedBy: "due") {
      print(chores.map(\.body), chores.changes.insertions)
      #expect(chores.map(\.id) == [sweep.id])
      break
    }
    let draft = try ledger.edit(sweep.id)
    try draft.change(as: Chore.self) { $0.priority = .high }
    try draft.save()
    #expect(try ledger.task(sweep.id, as: Chore.self)?.priority == .high)

    try ledger.toggle(sweep.id)
    try ledger.transaction(message: "tidy up") { transaction in
      for chore in try transaction.find(as: Chore.self, "isCompleted && !isDeleted") {
        try transaction.delete(chore.id)
      }
      try transaction.upsert(Chore(body: "Celebrate"))
    }
    try ledger.upsert(TaskItem(body: "of another program"))
    let readable = try ledger.find("!isDeleted").compactMap { try? $0.decoded(as: Chore.self) }
    #expect(readable.map(\.body) == ["Celebrate"])
    #expect(try ArticleExamples.linesMissing(of: "TypedDocuments", in: #filePath) == [])
  }
}
