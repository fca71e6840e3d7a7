import LedgerCore

/// The fields of several runs under common numbers: their ranks in the order in which canonical JSON shows them.
package final class FieldTable: Sendable {
  /// A field, prepared for printing; a class, so that looking at it copies nothing.
  final class Field: Sendable {
    let name: String
    /// The segments of the name, each in quotes and followed by a colon.
    let keys: [[UInt8]]
    let segments: [[UInt8]]
    /// The ranks of those of its proper prefixes that are fields too.
    let prefixes: [Int]
    let defaultValue: Value?

    init(
      name: String, keys: [[UInt8]], segments: [[UInt8]], prefixes: [Int], defaultValue: Value?
    ) {
      self.name = name
      self.keys = keys
      self.segments = segments
      self.prefixes = prefixes
      self.defaultValue = defaultValue
    }
  }

  let fields: [Field]
  private let ranks: [FieldName: Int]
  /// Whether some field's name extends another's.
  let hasExtensions: Bool
  /// The ranks of `_id`, `body`, `isCompleted` and `isDeleted`, ascending: what every document shows.
  let shownAlways: [Int]
  let idRank: Int

  package init(_ names: some Sequence<FieldName>) {
    let id = FieldName(unchecked: "_id")
    let all = Set(names).union([id, .body, .isCompleted, .isDeleted])
    let sorted = all.sorted { $0.text.precedesInDocument($1.text) }
      .map { (name: $0, path: $0.text.utf8.split(separator: 0x2e)) }
    var ranks: [FieldName: Int] = [:]
    for (rank, entry) in sorted.enumerated() { ranks[entry.name] = rank }
    fields = sorted.map { entry in
      Field(
        name: entry.name.text,
        keys: entry.path.map { segment in
          var key: [UInt8] = []
          CanonicalJSON.append(String(Substring(segment)), to: &key)
          key.append(0x3a)
          return key
        },
        segments: entry.path.map(Array.init),
        prefixes: entry.name.isDotted ? entry.name.prefixes.compactMap { ranks[$0] } : [],
        defaultValue: entry.name.defaultValue)
    }
    self.ranks = ranks
    hasExtensions = fields.contains { !$0.prefixes.isEmpty }
    idRank = ranks[id] ?? 0
    shownAlways = [id, .body, .isCompleted, .isDeleted].compactMap { ranks[$0] }.sorted()
  }

  /// The fields of some runs.
  package convenience init(of runs: [SealedRun], zstd: Zstd? = nil) throws(LedgerError) {
    var names: [FieldName] = []
    for run in runs { names.append(contentsOf: try run.tables(zstd: zstd).fields) }
    self.init(names)
  }

  /// The rank of a field; nil when no run has it.
  package func rank(of name: FieldName) -> Int? { ranks[name] }
}
