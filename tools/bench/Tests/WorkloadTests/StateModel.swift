import Testing

/// A second, slow reading of the rules: applies printed commands to documents and counts what
/// would be refused or change nothing.
struct StateModel {
  private(set) var documents: [String: [String: String]] = [:]
  private(set) var evicted: Set<String> = []
  private(set) var restored = 0
  private(set) var kinds: [String: Int] = [:]

  /// Applies one command and returns the fields that it changed.
  mutating func apply(_ command: [String: String]) throws -> [String: String] {
    let kind = try #require(command["kind"])
    let id = try #require(command["task"])
    let former = documents[id]
    kinds[kind == "\"upsert\"" && former != nil ? "rewrite" : kind, default: 0] += 1
    #expect(!evicted.contains(id), "an evicted task comes back")
    if kind != "\"upsert\"" { #expect(former != nil, "\(kind) of a task that is not there") }
    if kind == "\"evict\"" {
      #expect(former?["isDeleted"] == "true", "evict of a task that is not deleted")
      documents[id] = nil
      evicted.insert(id)
      return [:]
    }
    let wanted = try fields(of: command, kind: kind, former: former)
    let changed = wanted.filter { former?[$0.key] != $0.value }
    #expect(!changed.isEmpty, "a command that changes nothing: \(command)")
    if kind == "\"update\"" { #expect(changed.count == wanted.count) }
    if former?["isDeleted"] == "true" { restored += 1 }
    documents[id, default: [:]].merge(wanted) { _, new in new }
    return changed
  }

  private func fields(
    of command: [String: String], kind: String, former: [String: String]?
  ) throws -> [String: String] {
    switch kind {
    case "\"toggle\"": ["isCompleted": former?["isCompleted"] == "true" ? "false" : "true"]
    case "\"delete\"": ["isDeleted": "true"]
    default: try members(of: try #require(command["set"]))
    }
  }

  /// The documents as canonical JSON, sorted by id.
  var lines: [String] {
    documents.sorted { $0.key < $1.key }.map { id, fields in
      let members = fields.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }
      return "{\"_id\":\(id)," + members.joined(separator: ",") + "}"
    }
  }
}
