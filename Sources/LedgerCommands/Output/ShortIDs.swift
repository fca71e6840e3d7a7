import LedgerCore
import TaskLedger

/// The ids of a list, shortened for the eye.
enum ShortIDs {
  /// UUIDs by the shortest beginning, at least 8 bytes, that tells them from all others in the list; other ids whole.
  static func make(_ ids: [TaskID]) -> [String] {
    let order = ids.indices.sorted { ids[$0] < ids[$1] }
    var short = ids.map(\.text)
    for (place, index) in order.enumerated() where isUUID(ids[index].text) {
      let before = place > 0 ? common(ids[index], ids[order[place - 1]]) : 0
      let after = place + 1 < order.count ? common(ids[index], ids[order[place + 1]]) : 0
      // A hyphen at the end would look like a cut.
      let length = max(before, after) + 1
      let kept = max(8, [9, 14, 19, 24].contains(length) ? length + 1 : length)
      short[index] = String(decoding: ids[index].text.utf8.prefix(kept), as: UTF8.self)
    }
    return short
  }

  private static func common(_ left: TaskID, _ right: TaskID) -> Int {
    zip(left.text.utf8, right.text.utf8).prefix { $0 == $1 }.count
  }

  static func isUUID(_ text: String) -> Bool {
    guard text.utf8.count == 36 else { return false }
    return text.utf8.enumerated().allSatisfy { place, byte in
      switch place {
      case 8, 13, 18, 23: byte == 0x2d
      default: (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
      }
    }
  }
}

extension Session {
  /// How a line for people names a task that is still there: on a terminal a UUID by as much of it, at least 8 bytes, as will do in
  /// its place; else the whole id.
  ///
  /// - Parameter ledger: where it must be the only one; nil: it is shown whole.
  func shown(_ id: TaskID, in ledger: Ledger?) -> String {
    guard let ledger, out.isTerminal, ShortIDs.isUUID(id.text) else { return out.shown(id) }
    // Up to each hyphen: a beginning that ends with one would look like a cut.
    for length in [8, 13, 18, 23] {
      let short = String(decoding: id.text.utf8.prefix(length), as: UTF8.self)
      if let found = try? ledger.resolve(short), found == id { return short }
    }
    return out.shown(id)
  }
}
