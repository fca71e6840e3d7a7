/// Something that reads bytes which others made.
///
/// Invariants:
/// - `check` ends for every input, in bounded memory, and never traps; it throws a `FuzzFinding` where what was read is not what was
///   said: an error of the wrong kind, or a value that does not come back as it was;
/// - checksums are made to fit first, so that mutations get behind them;
/// - nothing outside a folder of its own is written.
public enum FuzzTarget: String, CaseIterable, Sendable {
  case frame, sealed, snapshot, footer, manifest, current, lock, checkpoint
  case apply, query, pattern, words, command

  /// Reads an input, and checks what came of it.
  public func check(_ bytes: [UInt8]) throws {
    switch self {
    case .frame: try FileChecks.frame(bytes)
    case .manifest: try FileChecks.manifest(bytes)
    case .current: try FileChecks.current(bytes)
    case .lock: try FileChecks.lock(bytes)
    case .checkpoint: try FileChecks.checkpoint(bytes)
    case .sealed: try RunChecks.run(bytes, .sealed)
    case .snapshot: try RunChecks.run(bytes, .snapshot)
    case .footer: try RunChecks.footer(bytes)
    case .apply: try TextChecks.apply(bytes)
    case .query: try TextChecks.query(bytes)
    case .pattern: try TextChecks.pattern(bytes)
    case .words: try CommandChecks.words(bytes)
    case .command: try CommandChecks.command(bytes)
    }
  }
}

/// What an input broke.
public struct FuzzFinding: Error, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }
}
