import LedgerCore
import LedgerFormat

/// What can be verified where CURRENT, or the manifest that it names, does not say which files are the ledger.
extension Verifier {
  /// Says what can be said without knowing for sure which files are the ledger.
  mutating func verifyWithoutList(
    _ error: LedgerError, outdated: Manifest? = nil
  ) throws(LedgerError) {
    let name = error.listFile(in: directory)
    let status = try LedgerError.typing { try directory.status(name) }
    let result = try ManifestRecovery(directory, pool: pool).find(isOutdated: outdated != nil)
    var error = error
    if case .failure(let obstacle) = result {
      error = error.without(obstacle)
      report.listHint = obstacle.hint
    }
    report.files.append(
      VerifyReport.File(
        name: name, bytes: status?.size ?? 0,
        status: status == nil ? .missing(error) : .damaged(error)))
    switch result {
    case .success(let found): try verify(found, outdated: outdated)
    case .failure: try verifySegmentsAlone()
    }
  }

  /// Where no list counts each segment says what it holds, and nobody which of that is the ledger.
  private mutating func verifySegmentsAlone() throws(LedgerError) {
    let rows = try SegmentInventory(directory, pool: pool).rows()
    report.files += rows
    if rows.isEmpty {
      report.uncertainAfter = 0
    } else {
      report.doubtful = SequenceRanges(1...UInt64(Int64.max) - 1)
    }
  }

  private mutating func verify(
    _ found: ManifestRecovery.Found, outdated: Manifest?
  ) throws(LedgerError) {
    // What another list names, and this one not, is as much in doubt as CURRENT.
    if let other = try? OtherSide(
      directory, beside: found.manifest, number: found.source, current: outdated, pool: pool)
    {
      returned = [:]
      for file in other.returned {
        unlisted[ByteText(file.name)] = SequenceRanges()
        returned[ByteText(file.name)] = file.events
      }
      for file in other.files { unlisted[ByteText(file.name)] = file.events }
    }
    _ = try verifySegments(found.manifest, nil, witness: found.witness)
    let back = returned.values.reduce(into: SequenceRanges()) { $0.formUnion($1) }
    report.intact.formUnion(found.lost.intersection(back))
    report.lost.formUnion(found.lost.without(back))
    report.lostBefore = report.lostBefore.without(found.lost)
    noteBack(
      found.manifest, number: found.source, current: outdated, witness: found.witness)
    // They may hold what the list lacks.
    for file in found.unread { faults[ByteText(file.name)] = .damaged(file.problem) }
    verifyAside(found.manifest)
    noteOthers(found.manifest)
  }
}

extension SegmentInventory {
  /// What is to be said of each segment by itself, where no list of them can be found.
  func rows() throws(LedgerError) -> [VerifyReport.File] {
    var rows: [VerifyReport.File] = []
    for name in try names() {
      let file = LedgerNames.inSegments(name)
      var row = VerifyReport.File(name: file, bytes: 0, status: .sound)
      do throws(LedgerError) {
        row.bytes = try FileSource(directory, file).size()
        let segment = try segment(name)
        if segment.lastSequence >= segment.entry.firstSequence {
          row.sequences = segment.entry.firstSequence...segment.lastSequence
        }
        try check(segment)
      } catch {
        row.status = VerifyReport.Status(error)
      }
      rows.append(row)
    }
    return rows
  }

  /// Reads every byte of a segment by what it says of itself.
  private func check(_ segment: File) throws(LedgerError) {
    let manifest = Manifest(
      ledger: segment.ledger, number: 1, replica: segment.ledger, segments: [segment.entry],
      records: [])
    let finding = SegmentExamination(directory, manifest, pool: pool).check(segment.entry)
    switch finding.status {
    case .damaged(let error), .missing(let error), .otherLedger(let error), .unreadable(let error):
      throw error
    case .sound, .tornTail, .leftOut, .absent, .unlisted, .unneeded, .foreign: break
    }
    guard let end = LedgerNames.closedEnd(segment.name), segment.isCut else { return }
    throw LedgerError(
      .damaged,
      "the frames end at event \(segment.lastSequence), byte \(segment.end), expected byte \(end), as the name says",
      path: directory.pathOf(LedgerNames.inSegments(segment.name)), offset: segment.end,
      hint: LedgerError.repairHint)
  }
}
