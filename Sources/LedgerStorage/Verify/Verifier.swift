import LedgerCore
import LedgerFormat

/// Reads every byte of every file of a ledger, checks every checksum and the log digest, and folds the events anew.
package struct Verifier {
  private let directory: any LedgerDirectory
  private let pool: ZstdPool
  private let progress: ((UInt64) -> Void)?
  private var report = VerifyReport()
  /// The log digests at the events of snapshots, as they are found on the way.
  private var digests: [UInt64: Digest] = [:]

  /// - Parameter progress: called now and then with the number of events checked so far.
  package init(
    _ directory: any LedgerDirectory, pool: ZstdPool, progress: ((UInt64) -> Void)? = nil
  ) {
    self.directory = directory
    self.pool = pool
    self.progress = progress
  }

  /// Verifies the ledger as it stands. What is damaged is in the report; only a folder that is no ledger, or one that cannot be
  /// read at all, is an error.
  package mutating func run() throws(LedgerError) -> VerifyReport {
    report = VerifyReport()
    let held: HeldManifest
    do throws(LedgerError) {
      held = try HeldManifest.load(from: directory)
    } catch  where error.code == .damaged {
      report.files.append(
        VerifyReport.File(name: relative(error.path), bytes: 0, status: .damaged(error)))
      return report
    }
    note(LedgerNames.current, UInt64(held.current.count))
    note(
      LedgerNames.manifest(held.manifest.number), UInt64(held.manifest.encoded.count))
    let snapshots = SnapshotEntry.all(in: held.manifest)
    let marked = Set(snapshots.map(\.sequence))
    var digest = LogDigest.empty
    for entry in held.manifest.segments {
      verify(entry, held.manifest, &digest, marking: marked)
    }
    verifyAside(held.manifest)
    noteUnneeded(held.manifest)
    var view: LogView?
    if report.isSound {
      report.logDigest = digest.value
      let opened = try LogOpening.open(held, directory, pool: pool, known: nil).view
      try refold(opened)
      view = opened
    }
    let check = SnapshotCheck(directory, held.manifest, pool: pool, digests: digests, view: view)
    report.files += check.files(snapshots)
    return report
  }

  private func relative(_ path: String?) -> String {
    guard let path else { return "?" }
    let prefix = directory.path + "/"
    return path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path
  }

  private mutating func note(_ name: String, _ bytes: UInt64) {
    report.files.append(VerifyReport.File(name: name, bytes: bytes, status: .sound))
  }

  private mutating func verify(
    _ entry: SegmentEntry, _ manifest: Manifest, _ digest: inout LogDigest,
    marking marked: Set<UInt64>
  ) {
    let name = LedgerNames.inSegments(entry.file)
    var file = VerifyReport.File(name: name, bytes: 0, status: .sound)
    if entry.eventCount > 0 { file.sequences = entry.firstSequence...entry.lastSequence }
    do throws(LedgerError) {
      file.bytes = try FileSource(directory, name).size()
      var found: [UInt64: Digest] = [:]
      let note = { (digest: LogDigest) in
        if marked.contains(digest.sequence) { found[digest.sequence] = digest.value }
      }
      if entry.kind == .baseline {
        digest = try verifyBaseline(entry, manifest)
        note(digest)
      } else if entry.kind == .sealed {
        digest = try verifySealed(entry, manifest, note)
      } else {
        digest = try verifyFrames(entry, manifest, &file, note)
      }
      if entry.kind != .active, digest.value != entry.digestAfter {
        throw LedgerError(
          .damaged,
          "the log digest after event \(digest.sequence) is \(digest.value.hex), expected \(entry.digestAfter.hex)",
          path: directory.pathOf(name))
      }
      digests.merge(found) { $1 }
      if entry.kind != .baseline { report.events += digest.sequence - (entry.firstSequence - 1) }
      progress?(report.events)
    } catch {
      file.status = VerifyReport.Status(error)
    }
    report.files.append(file)
  }

  private func verifySealed(
    _ entry: SegmentEntry, _ manifest: Manifest, _ note: (LogDigest) -> Void
  ) throws(LedgerError) -> LogDigest {
    let run = try SealedSegment(entry, ledger: manifest.ledger, in: directory).run(pool)
    return try pool.with { (zstd) throws(LedgerError) in
      _ = try run.clocks(zstd: zstd)
      return try RunDigest.compute(run, zstd: zstd, note: note)
    }
  }

  /// What was folded cannot be hashed again: the log digest goes on from the one that was kept.
  private func verifyBaseline(
    _ entry: SegmentEntry, _ manifest: Manifest
  ) throws(LedgerError) -> LogDigest {
    let run = try SealedSegment(entry, ledger: manifest.ledger, in: directory).run(pool)
    try pool.with { (zstd) throws(LedgerError) in
      _ = try run.clocks(zstd: zstd)
      try run.forEachEvent(zstd: zstd) { _ throws(LedgerError) in }
    }
    return LogDigest(value: entry.digestAfter, sequence: entry.lastSequence)
  }

  private func verifyFrames(
    _ entry: SegmentEntry, _ manifest: Manifest, _ file: inout VerifyReport.File,
    _ note: (LogDigest) -> Void
  ) throws(LedgerError) -> LogDigest {
    let read = try FrameSegmentReader(ledger: manifest.ledger, in: directory).read(entry)
    if case .torn(let start, let end) = read.scan.tail {
      file.status = .tornTail(bytes: end - start, offset: start)
    }
    if read.segment.eventCount > 0 {
      file.sequences = entry.firstSequence...read.segment.lastSequence
    }
    let path = directory.pathOf(LedgerNames.inSegments(entry.file))
    var digest = LogDigest(value: entry.digestBefore, sequence: entry.firstSequence - 1)
    var scratch: [UInt8] = []
    for event in try read.segment.events(pool, path: path) {
      digest.append(event, scratch: &scratch)
      note(digest)
    }
    return digest
  }

  /// What recovery moved aside is checked against the records that say so.
  private mutating func verifyAside(_ manifest: Manifest) {
    for record in manifest.records {
      guard let name = record.detail("aside"), let expected = record.detail("sha256") else {
        continue
      }
      var file = VerifyReport.File(name: name, bytes: 0, status: .sound)
      do throws(LedgerError) {
        let source = FileSource(directory, name)
        file.bytes = try source.size()
        let found = try source.withFile { (opened) throws(LedgerError) in
          try LedgerError.typing {
            try FileStretch(file: opened.file, range: 0..<file.bytes).digest().hex
          }
        }
        guard found == expected else {
          throw LedgerError(
            .damaged, "bytes that were moved aside have the digest \(found), expected \(expected)",
            path: source.path)
        }
      } catch {
        file.status = VerifyReport.Status(error)
      }
      report.files.append(file)
    }
  }

  private mutating func noteUnneeded(_ manifest: Manifest) {
    let named = Set(manifest.segments.map { ByteText($0.file) })
    do throws(LedgerError) {
      // What readers refuse must not pass here.
      try LogOpening.checkSegments(directory)
      let files = try LedgerError.typing { try directory.list(LedgerNames.segments) }
      for file in files where !named.contains(ByteText(file)) {
        report.files.append(
          VerifyReport.File(
            name: LedgerNames.inSegments(file), bytes: 0, status: .unneeded))
      }
    } catch {
      report.files.append(
        VerifyReport.File(name: LedgerNames.segments, bytes: 0, status: .init(error)))
    }
  }

  private mutating func refold(_ view: LogView) throws(LedgerError) {
    let state = try view.fold(progress: progress)
    report.stateDigest = state.digest()
    report.tasks = state.count
  }
}

extension MaintenanceRecord {
  /// The value of a detail by its name.
  package func detail(_ name: String) -> String? {
    details.first { $0.name == name }?.value
  }
}
