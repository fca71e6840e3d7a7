import LedgerFormat
import TaskLedger

/// Lost events in words, and as JSON.
enum LossText {
  /// "event 5 was lost", "events 5 to 9 were lost".
  static func sentence(_ lost: SequenceRanges) -> String {
    "\(events(lost)) \(lost.count == 1 ? "was" : "were") lost"
  }

  /// "some of what still counted of events 1 to 9 was lost"
  static func sentence(_ loss: FoldedLoss) -> String {
    "\(loss.isComplete ? "what" : "some of what") still counted of \(events(loss.events)) was lost"
  }

  /// "event 5, as a repair recorded"; nil where none was lost.
  static func recorded(_ lost: SequenceRanges) -> String? {
    lost.isEmpty ? nil : "\(events(lost)), as a repair recorded"
  }

  /// What a repair cannot save of folded events: "3 of the 8 events that still counted of 1 to 9", "what still counted of events 1
  /// to 9".
  static func folded(_ step: Repair.Step) -> String {
    let numbers = step.lost.text()
    guard let all = step.countedEvents, let lost = step.lostEvents, lost < all else {
      return "what still counted of \(events(step.lost))"
        + (step.keptEvents == 0 ? "" : ", in part")
    }
    return
      "\(NumberText.grouped(lost)) of the \(NumberText.count(all, "event")) that still counted of \(numbers)"
  }

  static func sentence(uncertainAfter last: UInt64) -> String {
    last == 0
      ? "events may have been lost of which nobody knows"
      : "events after \(last) may have been lost of which nobody knows: new ones take their numbers"
  }

  /// "event 5", "events 5 to 9, 12".
  static func events(_ numbers: SequenceRanges) -> String {
    numbers.eventsText
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
