import LedgerCore

/// What has to be known of the events of a run before the first is written: the values and messages that occur often enough to be
/// written once, and about when the events were made.
package struct CommonValues: Sendable {
  /// The values, the most frequent first.
  package var values: [Value] = []
  /// The messages, in order of their bytes.
  package var messages: [String] = []
  package var anchors = TimeAnchors()

  package init() {}

  /// Counts the values and messages of some events.
  package init(of events: [Event]) {
    var counter = CommonValueCounter()
    for event in events { counter.note(event) }
    self = counter.common
  }
}

/// Counts the values and messages of events that are passed by once, in memory that does not grow with them.
///
/// What is rare when memory runs short is forgotten, and counted from 0 when it comes again: what is frequent is found all
/// the same. The same events in the same order give the same answer.
package struct CommonValueCounter {
  private var values = BoundedCounter<Value>(weightMax: 32 << 20)
  private var messages = BoundedCounter<ByteText>(weightMax: 48 << 20)
  private var anchors = TimeAnchorBuilder()

  private static let occurrencesMin = 4
  /// A reader has all tables in memory before it finds its first event.
  private static let valuesMax = 4096
  private static let textBytesMax = 40
  private static let arrayElementsMax = 8
  /// A reader has all tables in memory: what is rarer than that many bytes of messages stays with its events.
  private static let messageBytesMax = 16 << 20

  package init() {}

  /// Counts what an event says.
  package mutating func note(_ event: Event) {
    anchors.note(event.sequence, event.time)
    for change in event.changes {
      if let value = change.value, let weight = Self.weight(of: value) {
        values.note(value, weight: weight)
      }
    }
    if let message = event.message {
      messages.note(ByteText(message), weight: message.utf8.count)
    }
  }

  /// What was frequent. Ties are broken by what the values say, so that the same events always make the same bytes.
  package var common: CommonValues {
    var common = CommonValues()
    common.values = frequentValues
    common.messages = frequentMessages
    common.anchors = anchors.anchors
    return common
  }

  private var frequentValues: [Value] {
    let frequent = values.counts.filter { $0.value.count >= Self.occurrencesMin }
    let described = frequent.map { entry in
      (value: entry.key, count: entry.value.count, text: entry.key.description)
    }
    let sorted = described.sorted { left, right in
      left.count != right.count ? left.count > right.count : left.text.bytesPrecede(right.text)
    }
    return sorted.prefix(Self.valuesMax).map(\.value)
  }

  private var frequentMessages: [String] {
    let frequent = messages.counts.filter { $0.value.count > 1 }
    let sorted = frequent.sorted { left, right in
      let (a, b) = (left.value.count, right.value.count)
      return a != b ? a > b : left.key < right.key
    }
    var bytesLeft = Self.messageBytesMax
    let fitting = sorted.prefix { entry in
      bytesLeft -= entry.key.text.utf8.count
      return bytesLeft >= 0
    }
    return fitting.map(\.key).sorted().map(\.text)
  }

  /// How many bytes a value has; nil where it is not worth a place in the tables.
  static func weight(of value: Value) -> Int? {
    switch value {
    case .bool, .int, .double: return nil
    case .text(let text):
      let count = text.utf8.count
      return count <= textBytesMax && !(count == 10 && DateText.number(text) != nil) ? count : nil
    case .array(let values):
      guard values.count <= arrayElementsMax else { return nil }
      var weight = 0
      for value in values {
        switch value {
        case .array: return nil
        case .text(let text):
          guard text.utf8.count <= textBytesMax else { return nil }
          weight += text.utf8.count
        default: break
        }
        weight += MemoryLayout<Value>.stride
      }
      return weight
    }
  }
}

/// Counts keys of a limited weight altogether.
private struct BoundedCounter<Key: Hashable> {
  private(set) var counts: [Key: (count: Int, weight: Int)] = [:]
  private var weight = 0
  private let weightMax: Int
  /// What a key takes beside its own bytes.
  private static var overhead: Int { 96 }

  init(weightMax: Int) { self.weightMax = weightMax }

  mutating func note(_ key: Key, weight: Int) {
    let before = counts.count
    counts[key, default: (0, weight + Self.overhead)].count += 1
    guard counts.count > before else { return }
    self.weight += weight + Self.overhead
    var floor = 1
    while self.weight > weightMax {
      forget(upTo: floor)
      floor *= 2
    }
  }

  /// Forgets the keys that were seen no more often than this.
  private mutating func forget(upTo count: Int) {
    counts = counts.filter { $0.value.count > count }
    weight = counts.values.reduce(0) { $0 + $1.weight }
  }
}
