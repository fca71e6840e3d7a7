import TaskLedger

/// The ledger of an app, which all of its models share.
///
/// ```swift
/// let ledger = AppLedger(at: path, author: "ann")
/// let list = TaskListModel(ledger)
/// ```
/// Making one does nothing yet: the ledger is opened when it is first needed, so that a failure has a screen to be shown on. It is
/// opened again where a failure has ended the handle, so that the app can go on without a restart. What is done through it is done one
/// after the other, on a thread of its own: neither the main actor nor any other waits for a disk.
public actor AppLedger {
  private let thread = LedgerThread()
  private let opening: @Sendable () throws -> Ledger
  private var opened: Ledger?

  /// Takes how to open the ledger.
  ///
  /// - Parameter opening: opens it; called again after a failure.
  public init(opening: @escaping @Sendable () throws -> Ledger) { self.opening = opening }

  /// The ledger in a folder, which is made if it is missing.
  ///
  /// - Parameters:
  ///   - path: the ledger's folder.
  ///   - author: who makes the changes: 1 to 256 bytes without control characters.
  ///   - configuration: clock, ids and sizes.
  public init(
    at path: String, author: String, configuration: LedgerConfiguration = LedgerConfiguration()
  ) {
    self.init { try Ledger.open(at: path, author: author, configuration: configuration) }
  }

  /// A ledger that is open already. It cannot be opened again after a failure that ends its handle.
  public init(_ ledger: Ledger) { self.init { ledger } }

  /// The thread that it works on.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  /// The open ledger, to read and to observe.
  ///
  /// - Throws: ``LedgerError`` as `Ledger.open(at:)`.
  public func ledger() throws(LedgerError) -> Ledger {
    if let opened { return opened }
    do {
      let ledger = try opening()
      opened = ledger
      return ledger
    } catch {
      throw Self.typed(error)
    }
  }

  /// Does something with the ledger, away from the main actor.
  ///
  /// ```swift
  /// try await ledger.perform { try $0.undo() }
  /// ```
  /// - Parameter work: what to do. Where the handle turns out to be dead, it is done again with another one: let it be one transaction
  ///   at most.
  /// - Returns: what `work` returned.
  /// - Throws: ``LedgerError`` that `work` throws, or that opening throws.
  @discardableResult
  public func perform<R: Sendable>(
    _ work: @Sendable (Ledger) throws -> R
  ) throws(LedgerError) -> R {
    let ledger = try ledger()
    do {
      return try work(ledger)
    } catch {
      let error = Self.typed(error)
      guard error.code == .poisoned else { throw error }
    }
    close(ledger)
    let next = try self.ledger()
    do {
      return try work(next)
    } catch {
      throw Self.typed(error)
    }
  }

  /// Lets a handle go that does not work any more; whoever needs the ledger next has it opened again.
  public func close(_ ledger: Ledger) {
    if opened === ledger { opened = nil }
  }

  /// What is thrown in an app's own closure need not be an error of the ledger.
  private static func typed(_ error: any Error) -> LedgerError {
    error as? LedgerError ?? LedgerError(.invalid, "the app itself failed", cause: "\(error)")
  }
}
