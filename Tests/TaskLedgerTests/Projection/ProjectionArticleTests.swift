import Foundation
import TaskLedger
import Testing

struct OpenByProject: Projection, Codable {
  private(set) var open: [String: Int] = [:]

  mutating func fold(_ step: ProjectionStep) {
    count(step.old, -1)
    count(step.new, 1)
  }

  private mutating func count(_ task: TaskItem?, _ one: Int) {
    guard let task, !task.isDeleted, !task.isCompleted else { return }
    open[task["project"]?.text ?? "", default: 0] += one
  }

  mutating func reset() { open = [:] }
}

struct `The article on projections` {
  @Test func `shows what compiles and does what it says`() throws {
    let ledger = try Ledger.inMemory(author: "ann")
    var item = TaskItem(id: "milk", body: "Get milk")
    item["project"] = "home"
    let milk = try ledger.upsert(item)
    try ledger.upsert(TaskItem(id: "bread", body: "Get bread"))
    try ledger.delete("bread")

    let counts = try ledger.project(TaskCounts()).value
    print(counts.open, counts.done, counts.deleted)
    #expect(counts.open == 1 && counts.done == 0 && counts.deleted == 1)

    let (list, activity) = try ledger.project(TaskList(), Activity())
    for row in activity.value.byAuthor { print(row.author, row.events.total) }
    #expect(list.value.tasks == [item])
    #expect(activity.value.byAuthor.map(\.events.total) == [3])

    let then = try ledger.at(.sequence(2)).project(TaskCounts()).value
    #expect(then.open == 2)

    let projects = try ledger.project(OpenByProject())
    #expect(projects.value.open == ["home": 1, "": 0])
    let bytes = try JSONEncoder().encode(projects)
    let kept = try JSONDecoder().decode(Projected<OpenByProject>.self, from: bytes)
    try ledger.toggle(milk)
    let now = try ledger.project(from: kept)
    print(now.value.open, now.isContinued)
    #expect(now.value.open == ["home": 0, "": 0] && now.isContinued)
    #expect(try ArticleExamples.linesMissing(of: "Projections", in: #filePath) == [])
  }
}
