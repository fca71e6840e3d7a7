import LedgerCore
import LedgerFormat

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension LedgerError {
  /// Whether something else than a file stands where a file was to be opened.
  var isOfOtherThanFile: Bool {
    systemError == EISDIR || systemError == ENXIO || systemError == ELOOP
  }

  /// Whether something else stands where a file or a folder was to be used.
  var isOfOtherKind: Bool { isOfOtherThanFile || systemError == ENOTDIR }

  /// Whether something stands in a place that only holds what can be made anew, and cannot be used: it is told of, and left alone.
  package var isOfCachePlace: Bool {
    isOfOtherKind || systemError == EACCES || systemError == EPERM
  }

  /// Whether it is a symbolic link, through which the file may still be there.
  var isOfLink: Bool { systemError == ELOOP }

  /// What that is.
  fileprivate var whatStandsThere: String {
    switch systemError {
    case EISDIR: "a folder"
    case ENXIO: "a pipe or a device"
    default: "a symbolic link"
    }
  }

  /// The same as damage: what belongs there is not there.
  func asDamage(path: String) -> LedgerError {
    LedgerError(
      .damaged, "\(whatStandsThere) stands where a file of the ledger belongs", path: path,
      hint: isOfLink
        ? "put the file itself in its place: links are not followed"
        : "put the file back, or run `ledger repair`, which moves aside what stands there",
      systemError: systemError)
  }
}

/// Looks at what lies in a ledger's folder beside the files that its manifest leads to: LOCK, leftovers, and what is not its own.
struct FolderCheck {
  private let directory: any LedgerDirectory

  init(_ directory: any LedgerDirectory) { self.directory = directory }

  /// What is to be said of LOCK: nothing of its contents matters, but something else in its place keeps every writer out.
  func lock() -> VerifyReport.File {
    var file = VerifyReport.File(name: LedgerNames.lock, bytes: 0, status: .sound)
    do {
      let opened = try directory.open(LedgerNames.lock, .read)
      defer { opened.close() }
      file.bytes = try opened.size()
    } catch let error as LedgerError where error.code == .notFound {
      file.status = .absent
    } catch {
      file.status = lockStatus(LedgerError.wrapping(error))
    }
    return file
  }

  private func lockStatus(_ error: LedgerError) -> VerifyReport.Status {
    guard error.isOfOtherThanFile else { return .unreadable(error) }
    return .damaged(
      LedgerError(
        .damaged,
        "\(error.whatStandsThere) stands in the place of the file LOCK, and nothing can be changed",
        path: directory.pathOf(LedgerNames.lock),
        hint: "run `ledger repair`, which moves it aside"))
  }

  /// The files that a ledger has no use for, and positions of consumers that are damaged.
  ///
  /// - Parameters:
  ///   - manifest: the manifest that counts.
  ///   - kept: what records name in the folder of what was moved aside.
  ///   - unlisted: the files with events that the manifest lacks, and these, where they are known.
  ///   - returned: the events that are counted as lost, by the files that hold some.
  ///   - faults: what is known to be wrong with some of these files.
  func others(
    _ manifest: Manifest, keeping kept: Set<ByteText>, unlisted: [ByteText: SequenceRanges],
    returned: [ByteText: SequenceRanges], faults: [ByteText: VerifyReport.Status]
  ) -> [VerifyReport.File] {
    (top(manifest) + segments(manifest)).map { file in
      var file = file
      if let fault = faults[ByteText(file.name)] {
        file.status = fault
        return file
      }
      guard let events = unlisted[ByteText(file.name)] else { return file }
      file.status = .unlisted
      file.returned = returned[ByteText(file.name)] ?? SequenceRanges()
      if let first = events.ranges.first, let last = events.ranges.last {
        file.sequences = first.lowerBound...last.upperBound
      }
      return file
    } + checkpoints(manifest) + aside(kept) + folders()
  }

  /// What stands in the place of a folder whose files are read, and is none. That of the snapshots is told of with them.
  private func folders() -> [VerifyReport.File] {
    [LedgerNames.checkpoints, LedgerNames.aside].compactMap { name in
      do throws(LedgerError) {
        try directory.checkFolder(name)
        return nil
      } catch {
        return row(name, .unreadable(error))
      }
    }
  }

  /// The positions of consumers that are not what was written. Nothing else knows them: a repair cannot help.
  private func checkpoints(_ manifest: Manifest) -> [VerifyReport.File] {
    let store = CheckpointStore(directory)
    return ((try? store.names()) ?? []).compactMap { name in
      do throws(LedgerError) {
        _ = try store.read(name, of: manifest.ledger)
        return nil
      } catch {
        let status: VerifyReport.Status = error.code == .io ? .unreadable(error) : .damaged(error)
        return row(LedgerNames.checkpoint(name), status)
      }
    }
  }

  private func top(_ manifest: Manifest) -> [VerifyReport.File] {
    list("").compactMap { name in
      if name.hasSameBytes(as: LedgerNames.manifest(manifest.number)) { return nil }
      if LedgerNames.manifestNumber(name) != nil { return row(name, .unneeded) }
      if name.hasSameBytes(as: LedgerNames.currentDraft) { return row(name, .unneeded) }
      return LedgerNames.isPart(name) ? nil : row(name, .foreign)
    }
  }

  private func segments(_ manifest: Manifest) -> [VerifyReport.File] {
    let named = Set(manifest.segments.map { ByteText($0.file) })
    return list(LedgerNames.segments).compactMap { file in
      if named.contains(ByteText(file)) { return nil }
      return row(LedgerNames.inSegments(file), isOwn(file) ? .unneeded : .foreign)
    }
  }

  /// Whether a file in the folder `segments` is a segment, or one in the making.
  private func isOwn(_ file: String) -> Bool {
    let suffix = LedgerNames.draftSuffix
    return file.hasSuffix(suffix)
      ? LedgerNames.isSegment(String(file.dropLast(suffix.count)))
      : directory.segmentKind(of: file) != nil
  }

  private func aside(_ kept: Set<ByteText>) -> [VerifyReport.File] {
    list(LedgerNames.aside).map { "\(LedgerNames.aside)/\($0)" }
      .filter { !kept.contains(ByteText($0)) }.map { row($0, .unneeded) }
  }

  /// What cannot be listed is told of elsewhere, or is not there.
  private func list(_ folder: String) -> [String] { (try? directory.list(folder)) ?? [] }

  private func row(_ name: String, _ status: VerifyReport.Status) -> VerifyReport.File {
    VerifyReport.File(
      name: name, bytes: (try? directory.status(name))?.size ?? 0, status: status)
  }
}
