import Observation
import TaskLedger

/// What a screen with a list of tasks shows and does.
///
/// ```swift
/// let list = TaskListModel(ledger, sortedBy: "isCompleted,body")
/// list.open()                          // when the screen appears; `await list.opened()` waits for the tasks
/// for task in list.tasks { … }         // kept up to date, whoever changes them
/// await list.toggle(task)
/// await list.edit(task.id)             // list.sheet is there now
/// ```
/// A failure is never thrown: it becomes ``error``, or the ``status`` of the list, and the model goes on. What it asks of the ledger is
/// done away from the main actor.
///
/// Invariants:
/// - while `following` is there, and only then, the list is followed; it ends with the model;
/// - `tasks` is changed by what follows the list alone, and its `changes` lead there from what `tasks` was before.
@MainActor @Observable
public final class TaskListModel {
  /// How it stands with the list.
  public enum Status: Hashable, Sendable {
    /// Nothing is followed: ``TaskListModel/open()`` was not called, or ``TaskListModel/close()`` was.
    case closed
    /// The tasks are about to come.
    case opening
    /// The tasks are shown, and follow what anybody does to them.
    case live
    /// Nothing is followed any more; the tasks are as they were last. ``TaskListModel/open()`` tries again.
    case failed(ShownError)
  }

  /// The ledger.
  @ObservationIgnored public let ledger: AppLedger
  /// What the tasks on the list meet.
  public private(set) var query: Query
  /// Their order.
  public private(set) var order: TaskSort
  /// How many are shown at most; nil: all.
  public private(set) var limit: Int?

  /// The tasks to show. A collection for list views; holding it costs little, however long it is.
  public private(set) var tasks = ObservedTasks()
  /// How it stands with the list.
  public private(set) var status = Status.closed
  /// Why what was asked for last could not be done; set it to nil once it was seen.
  public var error: ShownError?
  /// What is being edited, where anything is: new or not, there is one, and it has its draft. Nil closes the sheet and drops what was
  /// typed.
  public var sheet: TaskEditModel?

  /// Called after each change of ``tasks``, none left out, with what leads there from the tasks before: for table views that are told of
  /// rows that come, go and move.
  @ObservationIgnored public var onChanges: ((TaskListChanges) -> Void)?

  @ObservationIgnored private let emptiesTrash: Bool
  @ObservationIgnored private var following: Task<Void, Never>?
  /// Who waits for ``status`` to be another than opening.
  @ObservationIgnored let waiters = OpeningWaiters()
  /// The handle whose tasks are shown.
  @ObservationIgnored private var followed: Ledger?

  /// Makes a model; nothing is opened yet.
  ///
  /// - Parameters:
  ///   - ledger: the ledger.
  ///   - query: what the tasks on the list meet.
  ///   - sortedBy: their order; ties are broken by id.
  ///   - limit: only the first so many tasks; nil for all.
  ///   - emptiesTrash: whether deleted tasks are evicted each time that the list opens. Their history stays, and an undo can bring them
  ///     back.
  public init(
    _ ledger: AppLedger, showing query: Query = !Field("isDeleted"),
    sortedBy order: TaskSort = .byID, limit: Int? = nil, emptiesTrash: Bool = true
  ) {
    self.ledger = ledger
    self.query = query
    self.order = order
    self.limit = limit
    self.emptiesTrash = emptiesTrash
  }

  deinit { following?.cancel() }

  /// Opens the list: empties the trash, shows the tasks and follows them. Where that is done already it does nothing; after a failure it
  /// tries again. It returns at once, and the tasks come a moment later; ``opened()`` waits for them.
  public func open() {
    guard following == nil else { return }
    status = .opening
    follow(opensTrash: emptiesTrash)
  }

  /// Ends following the list; the tasks stay as they are until it is opened again. A model that is dropped needs no closing.
  public func close() {
    stop()
    status = .closed
    waiters.wake()
  }

  /// Shows other tasks, or the same in another order: for a search field, a filter, a choice of orders.
  ///
  /// ```swift
  /// list.show(try Query("!isDeleted && contains(body, $text)", ["text": .text(text)]), sortedBy: "due")
  /// ```
  public func show(_ query: Query, sortedBy order: TaskSort = .byID, limit: Int? = nil) {
    self.query = query
    self.order = order
    self.limit = limit
    guard following != nil else { return }
    stop()
    follow(opensTrash: false)
  }

  /// Whether there is an ``error`` to show; set it to false once it was seen.
  public var isShowingError: Bool {
    get { error != nil }
    set { if !newValue { error = nil } }
  }

  /// Why the tasks do not follow what is done to them any more.
  public var failure: ShownError? {
    if case .failed(let error) = status { error } else { nil }
  }
}

// Following.
extension TaskListModel {
  private func stop() {
    following?.cancel()
    following = nil
    followed = nil
  }

  /// Follows the list until the task is cancelled, which holds the model only while it shows something.
  private func follow(opensTrash: Bool) {
    following = Task { [weak self, ledger, query, order, limit] in
      var deed = ShownError.Deed.open
      do throws(LedgerError) {
        var handle = try await ledger.ledger()
        if opensTrash {
          await self?.emptyTrash()
          handle = try await ledger.ledger()
        }
        guard !Task.isCancelled else { return }
        self?.followed = handle
        deed = .load
        var values = handle.observe(query, sortedBy: order, limit: limit).makeAsyncIterator()
        var isFirst = true
        while var value = try await values.next(isolation: MainActor.shared) {
          // What was shown before came by another observation, or was nothing.
          if isFirst, let shown = self?.tasks {
            value = await Self.changes(of: value, after: shown)
          }
          isFirst = false
          guard !Task.isCancelled, let self else { return }
          show(value)
        }
      } catch {
        guard !Task.isCancelled, let self else { return }
        await fail(ShownError(deed, error))
      }
    }
  }

  private nonisolated static func changes(
    of value: ObservedTasks, after shown: ObservedTasks
  ) async -> ObservedTasks { value.following(shown) }

  private func show(_ value: ObservedTasks) {
    tasks = value
    if status != .live { status = .live }
    waiters.wake()
    if !value.changes.isEmpty { onChanges?(value.changes) }
  }

  /// Ends following; a later attempt gets a handle of its own.
  private func fail(_ error: ShownError) async {
    let failed = followed
    stop()
    status = .failed(error)
    waiters.wake()
    // The list says more than that.
    if self.error?.deed == .emptyTrash { self.error = nil }
    if let failed { await ledger.close(failed) }
  }

  private func emptyTrash() async {
    do throws(LedgerError) {
      try await ledger.perform { ledger in
        // Nobody waits for the lock, or for a full disk, while there is nothing in it.
        guard try !ledger.find("isDeleted", limit: 1).isEmpty else { return }
        try ledger.transaction(message: "emptied the trash") { transaction in
          for task in try transaction.find("isDeleted") { try transaction.evict(task.id) }
        }
      }
    } catch {
      if !Task.isCancelled { self.error = ShownError(.emptyTrash, error) }
    }
  }
}
