/// The state, now and at any moment.
extension PlainModel {
  package enum Moment: Sendable {
    case present
    /// What this ledger knew after the event with this sequence number; 0 is before everything.
    case sequence(Int)
    /// All events whose time, in Unix milliseconds, is not later.
    case time(Int64)
  }

  /// One task that exists: its id, and its document in canonical JSON.
  package struct Document: Equatable, Sendable {
    package let id: PlainText
    package let json: [UInt8]

    package init(id: PlainText, json: [UInt8]) {
      self.id = id
      self.json = json
    }
  }

  /// The task, whether it exists or not. A sequence number beyond the end has no answer: nil.
  package func task(_ id: PlainText, at moment: Moment = .present) -> PlainTask? {
    let known = events(of: id)
    switch moment {
    case .present: return PlainTask(id, folding: known)
    case .sequence(let number):
      guard (0...events.count).contains(number) else { return nil }
      return PlainTask(id, folding: known.filter { $0.sequence <= number })
    case .time(let time):
      return PlainTask(id, folding: known.filter { $0.stamp.time <= time })
    }
  }

  /// Every task that exists, soft-deleted ones too, in the order of id bytes; nil for a sequence
  /// number beyond the end.
  package func documents(at moment: Moment = .present) -> [Document]? {
    var documents: [Document] = []
    for id in ids {
      guard let task = task(id, at: moment) else { return nil }
      guard task.exists else { continue }
      documents.append(Document(id: id, json: task.document.canonical))
    }
    return documents
  }

  /// The bytes that the digest covers: one line per document.
  package func digestedBytes(at moment: Moment = .present) -> [UInt8]? {
    documents(at: moment)?.flatMap { $0.json + [UInt8(ascii: "\n")] }
  }

  /// The state digest in lower-case hexadecimal.
  package func digest(at moment: Moment = .present) -> String? {
    digestedBytes(at: moment).map(PlainSHA256.hex)
  }
}
