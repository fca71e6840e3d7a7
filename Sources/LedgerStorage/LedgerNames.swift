import LedgerFormat

/// The names of everything in a ledger's folder.
package enum LedgerNames {
  package static let lock = "LOCK"
  package static let current = "CURRENT"
  package static let currentDraft = "CURRENT.draft"
  /// What the name of a file ends with until it is complete.
  package static let draftSuffix = ".draft"
  package static let segments = "segments"
  package static let snapshots = "snapshots"
  package static let checkpoints = "checkpoints"
  /// What recovery and repair moved aside.
  package static let aside = "aside"
  /// How far the last `verify --resume` came.
  package static let verifyPosition = "checkpoints/verify.position"
  /// What `ledger maintain` does and when; a text that a person writes.
  package static let policy = "POLICY"
  /// When maintenance checked which segment last.
  package static let checkedSegments = "checkpoints/checked"
  package static let manifestPrefix = "MANIFEST-"

  package static func manifest(_ number: UInt64) -> String {
    manifestPrefix + padded(number, 8)
  }

  /// The number of a manifest by its name; nil for other names, and for numbers that no ledger comes to.
  package static func manifestNumber(_ name: String) -> UInt64? {
    guard name.hasPrefix(manifestPrefix), let number = UInt64(name.dropFirst(manifestPrefix.count)),
      number < CurrentFile.manifestNumberMax, name.hasSameBytes(as: manifest(number))
    else { return nil }
    return number
  }

  /// Whether a name in the ledger's folder is one of its parts, manifests apart.
  package static func isPart(_ name: String) -> Bool {
    [lock, current, segments, snapshots, checkpoints, aside, policy].contains {
      $0.hasSameBytes(as: name)
    }
  }

  /// A segment that frames are appended to, from `first` on.
  package static func activeSegment(first: UInt64, segment: UInt64) -> String {
    "\(padded(first, 16))-\(hex(segment)).active"
  }

  /// The frames of a segment up to a byte, in a copy of the ledger: they never change.
  package static func closedSegment(first: UInt64, segment: UInt64, end: UInt64) -> String {
    "\(padded(first, 16))-\(hex(segment))-\(end).active"
  }

  /// Where the frames of a closed segment in a copy end, by its name; nil for other names.
  package static func closedEnd(_ file: String) -> UInt64? {
    let parts = file.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[2].hasSuffix(".active") else { return nil }
    return UInt64(parts[2].dropLast(".active".count))
  }

  /// A sealed segment.
  package static func sealedSegment(first: UInt64, last: UInt64, unique: UInt64) -> String {
    "\(padded(first, 16))-\(padded(last, 16))-\(hex(unique)).sealed"
  }

  /// What was saved of a damaged segment.
  package static func salvagedSegment(first: UInt64, last: UInt64, unique: UInt64) -> String {
    "\(padded(first, 16))-\(padded(last, 16))-\(hex(unique)).salvaged"
  }

  /// A baseline.
  package static func baseline(last: UInt64, unique: UInt64) -> String {
    "\(padded(1, 16))-\(padded(last, 16))-\(hex(unique)).baseline"
  }

  /// Whether a name in the folder `segments` is one of a segment.
  package static func isSegment(_ file: String) -> Bool {
    segmentKind(file) != nil
  }

  /// Whether a path's name is that of the active segment of an empty ledger.
  static func isFirstActive(_ name: String) -> Bool {
    let file = name.split(separator: "/").last ?? ""
    return file.hasSuffix(".active")
      && file.split(separator: "-").first.flatMap { UInt64($0) } == 1
  }

  /// The events of a sealed segment or a baseline by its name; nil for names that the ledger does not give.
  static func sequences(ofRun name: String) -> ClosedRange<UInt64>? {
    let file = name.split(separator: "/").last.map(String.init) ?? name
    let parts = file.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, let first = UInt64(parts[0]), let last = UInt64(parts[1]),
      first <= last,
      let unique = parts[2].split(separator: ".").first, UInt64(unique, radix: 16) != nil
    else { return nil }
    return first...last
  }

  /// Which kind of segment a file in the folder `segments` is by its name; nil where that says nothing.
  static func segmentKind(_ file: String) -> FileHeader.Kind? {
    if file.hasSuffix(".active") { return .active }
    if file.hasSuffix(".sealed") { return .sealed }
    if file.hasSuffix(".baseline") { return .baseline }
    return file.hasSuffix(".salvaged") ? .salvaged : nil
  }

  /// A snapshot of the state after event `last`.
  package static func snapshot(last: UInt64, unique: UInt64) -> String {
    "\(padded(last, 16))-\(hex(unique)).snapshot"
  }

  /// The sequence number of a snapshot by its name in the folder `snapshots`; nil for other names.
  package static func snapshotSequence(_ file: String) -> UInt64? {
    let parts = file.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].hasSuffix(".snapshot"), let last = UInt64(parts[0]),
      let unique = UInt64(parts[1].dropLast(".snapshot".count), radix: 16)
    else { return nil }
    return file.hasSameBytes(as: snapshot(last: last, unique: unique)) ? last : nil
  }

  /// Whether a name in the folder `snapshots` is one of a snapshot, or of one that was not finished.
  package static func isSnapshot(_ file: String) -> Bool {
    file.hasSuffix(".snapshot") || file.hasSuffix(".snapshot.draft")
  }

  private static let checkpointSuffix = ".checkpoint"

  /// The place of a consumer's checkpoint.
  package static func checkpoint(_ name: String) -> String {
    "\(checkpoints)/\(name)\(checkpointSuffix)"
  }

  /// The place of a checkpoint that is being written.
  package static func checkpointDraft(_ name: String, unique: UInt64) -> String {
    "\(checkpoint(name)).\(hex(unique)).draft"
  }

  /// The consumer whose checkpoint a name in the folder `checkpoints` is; nil for other names.
  package static func checkpointName(_ file: String) -> String? {
    guard file.hasSuffix(checkpointSuffix) else { return nil }
    let name = String(file.dropLast(checkpointSuffix.count))
    return CheckpointFile.isName(name) ? name : nil
  }

  /// Whether a name in the folder `checkpoints` is that of an unfinished checkpoint of a consumer.
  static func isCheckpointDraft(_ file: String, of name: String) -> Bool {
    file.hasPrefix(name + checkpointSuffix + ".") && file.hasSuffix(".draft")
  }

  package static func inSnapshots(_ file: String) -> String { "\(snapshots)/\(file)" }

  package static func inSegments(_ file: String) -> String { "\(segments)/\(file)" }

  private static func padded(_ number: UInt64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
