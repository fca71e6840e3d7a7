import LedgerFormat
import TaskLedger

/// Lost events in words, and as JSON.
enum LossText {
  /// "event 5 was lost", "events 5 to 9 were lost".
  static func sentence(_ lost: SequenceRanges) -> String {
    "\(events(lost)) \(lost.count == 1 ? "was" : "were") lost"
  }

  static func sentence(uncertainAfter last: UInt64) -> String {
    last == 0
      ? "events may have been lost of which nobody knows"
      : "events after \(last) may have been lost of which nobody knows: their numbers went to others"
  }

  /// "event 5", "events 5 to 9, 12".
  static func events(_ numbers: SequenceRanges) -> String {
    "\(numbers.count == 1 ? "event" : "events") \(numbers.text())"
  }
}

extension JSONObjectWriter {
  /// Adds ranges of sequence numbers as objects.
  mutating func addRanges(_ name: String, _ numbers: SequenceRanges) {
    addObjects(name, numbers.ranges) { json, range in
      json.add("firstSequence", range.lowerBound)
      json.add("lastSequence", range.upperBound)
    }
  }
}
