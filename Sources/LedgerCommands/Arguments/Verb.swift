import LedgerCore

/// A verb of the command line.
package protocol Verb {
  static var description: VerbDescription { get }

  /// Carries the command out.
  static func run(_ session: Session) throws -> ExitStatus
}

/// All verbs.
package enum Verbs {
  /// In the order in which help lists them.
  package static var all: [any Verb.Type] {
    [
      InitVerb.self, AddVerb.self, UpsertVerb.self, UpdateVerb.self, ToggleVerb.self,
      DoneVerb.self, DeleteVerb.self, RestoreVerb.self, EvictVerb.self, UndoVerb.self,
      RedoVerb.self,
      ListVerb.self, GetVerb.self,
      ApplyVerb.self, LogVerb.self, WatchVerb.self, AuditVerb.self, ReplayVerb.self,
      DiffVerb.self,
      SnapshotVerb.self, CompactVerb.self,
      BackupVerb.self, MaintainVerb.self,
      StatsVerb.self, VerifyVerb.self, RepairVerb.self,
      CompletionsVerb.self, ManVerb.self,
    ]
  }

  /// The verb with a name.
  ///
  /// - Throws: `LedgerError` with code `usage` that suggests what may have been meant.
  package static func named(_ name: String) throws(LedgerError) -> any Verb.Type {
    if let verb = all.first(where: { $0.description.names.contains(name) }) { return verb }
    let known = all.flatMap { $0.description.names }
    let meant =
      ways[name] ?? familiar[name].map { [$0] } ?? Suggestion.closest(to: name, among: known)
    throw LedgerError(
      .usage, "there is no verb \"\(name.shortened)\"",
      hint: Suggestion.sentence(
        meant.map { "ledger \($0)" }, else: "`ledger --help` lists the verbs"))
  }

  /// Words that people know from other programs.
  private static let familiar = [
    "ls": "list", "show": "get", "cat": "get", "new": "add", "create": "add", "edit": "update",
    "set": "update", "modify": "update", "complete": "done", "finish": "done", "check-off": "done",
    "remove": "delete", "del": "delete", "undelete": "restore", "revert": "undo", "purge": "evict",
    "load": "apply", "history": "audit", "blame": "audit", "events": "log", "follow": "watch",
    "tail": "watch", "rebuild": "replay",
    "status": "stats", "info": "stats", "check": "verify", "fsck": "verify",
    "vacuum": "compact", "merge": "compact", "gc": "compact", "compare": "diff",
    "fix": "repair", "salvage": "repair", "recover": "repair",
    "copy": "backup", "clone": "backup", "save": "backup", "cron": "maintain",
    "completion": "completions", "manual": "man",
    "find": "list --search TEXT", "search": "list --search TEXT",
    "today": "list --open 'due < $tomorrow'", "overdue": "list --open 'due < $today'",
    "due": "list --open --sort due:last", "next": "list --open --sort due:last",
    "todo": "list --open",
    "reopen": "toggle", "uncomplete": "toggle", "count": "replay --projection counts",
    "counts": "replay --projection counts", "activity": "replay --projection activity",
    "version": "--version",
  ]
  /// Words for what can be done in two ways.
  private static let ways = [
    "export": ["--json list", "log --commands"], "import": ["apply", "upsert -"],
  ]
}
