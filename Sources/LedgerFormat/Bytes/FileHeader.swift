import LedgerCore

/// What every file of a ledger starts with: 32 bytes.
///
/// | offset | bytes | field |
/// |---|---|---|
/// | 0 | 8 | magic, which names the kind of file |
/// | 8 | 2 | format version that wrote it |
/// | 10 | 2 | oldest version that can still read it |
/// | 12 | 4 | flags for later transforms; any that a reader does not know is refused |
/// | 16 | 16 | the id of the ledger |
package struct FileHeader: Hashable, Sendable {
  package static let byteCount = 32
  /// How many bytes at the beginning name the kind.
  package static let magicByteCount = 8
  /// The newest version that this reader knows.
  package static let currentVersion: UInt16 = 5
  /// What is written where nothing of a later version is used, so that older readers can read it.
  package static let firstVersion: UInt16 = 1

  /// The kinds of file, as their eight magic bytes.
  package enum Kind: String, CaseIterable, Sendable {
    case current = "TLCURRNT"
    case manifest = "TLMANIFS"
    case active = "TLACTIVE"
    case sealed = "TLSEALED"
    case baseline = "TLBASELN"
    case snapshot = "TLSNAPSH"
    case checkpoint = "TLCHECKP"
    case salvaged = "TLSALVGD"
    case verifyPosition = "TLVERIFY"

    /// As messages name it.
    package var title: String {
      switch self {
      case .current: "CURRENT"
      case .manifest: "a manifest"
      case .active: "an active segment"
      case .sealed: "a sealed segment"
      case .baseline: "a baseline"
      case .snapshot: "a snapshot"
      case .checkpoint: "a checkpoint"
      case .salvaged: "a salvaged segment"
      case .verifyPosition: "a position of verify"
      }
    }
  }

  package var kind: Kind
  package var ledger: ReplicaID
  /// The oldest version that can read the file.
  package private(set) var oldestReader = firstVersion

  package init(_ kind: Kind, ledger: ReplicaID) {
    self.kind = kind
    self.ledger = ledger
  }

  /// Whose a file says that it is, of whatever kind, without a look at its checksum; nil where it is no file of a ledger.
  package static func claimedLedger(in bytes: [UInt8]) -> ReplicaID? {
    guard bytes.count >= byteCount,
      Kind.allCases.contains(where: { bytes.starts(with: $0.rawValue.utf8) })
    else { return nil }
    var reader = ByteReader(bytes, byteCount - 16..<byteCount)
    return try? reader.replica()
  }

  /// - Parameter version: the version that is needed to read the file.
  package func append(to bytes: inout [UInt8], version: UInt16 = firstVersion) {
    bytes.append(contentsOf: kind.rawValue.utf8)
    bytes.append(u16: version)
    bytes.append(u16: version)
    bytes.append(u32: 0)
    bytes.append(replica: ledger)
  }

  /// Reads a header of the kind that is expected.
  ///
  /// - Parameter check: throws when the header does not fit the checksum that covers it. All versions keep that in one
  ///   place, so that a flipped bit is never taken for a newer version.
  /// - Throws: `damaged` for other bytes, `unsupported` for a file that this version cannot read.
  package init(
    _ reader: inout ByteReader, expecting kind: Kind, check: () throws(LedgerError) -> Void
  ) throws(LedgerError) {
    guard reader.remaining >= Self.byteCount else {
      throw reader.fail("the file has \(reader.remaining) bytes, too few for \(kind.title)")
    }
    let magic = try reader.take(8)
    guard magic.elementsEqual(kind.rawValue.utf8) else {
      let found = String(decoding: magic, as: UTF8.self)
      let other = Kind.allCases.first { $0.rawValue == found }
      throw LedgerError(
        .damaged, "expected \(kind.title), found \(other?.title ?? "other bytes")", offset: 0)
    }
    try check()
    let version = try reader.u16()
    oldestReader = try reader.u16()
    guard oldestReader <= Self.currentVersion else {
      throw LedgerError(
        .unsupported,
        "\(kind.title) of format version \(version) needs a reader of version \(oldestReader), this is \(Self.currentVersion)",
        hint: "install a newer `ledger`")
    }
    guard version >= 1, oldestReader >= 1 else {
      throw LedgerError(.damaged, "format version \(version) does not exist", offset: 8)
    }
    let flags = try reader.u32()
    guard flags == 0 else {
      throw LedgerError(
        .unsupported,
        "\(kind.title) uses features that this version does not know (flags \(flags))",
        hint: "install a newer `ledger`")
    }
    self.kind = kind
    ledger = try reader.replica()
  }
}
