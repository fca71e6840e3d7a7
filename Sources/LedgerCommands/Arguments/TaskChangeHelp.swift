/// What the help of several verbs has in common.
enum TaskChangeHelp {
  static let usage = [
    "ID... [--if-revision N] [--dry-run] [--message TEXT]",
    "--where QUERY [--arg NAME=V]... [--dry-run] [--message TEXT]",
  ]
  static let options: [VerbDescription.Option] = [
    .where, .queryArgument, .ifRevision, .dryRun, .message,
  ]
  static let ids =
    "ID is a whole id, or its beginning, at least 4 bytes, where only one task fits. A task that is named twice counts "
    + "once."
  static let query =
    "With --where it is every task that `ledger list QUERY` shows, in the order of ids: look before you change. Deleted ones "
    + "are among them where the query itself asks for isDeleted. That none meets the query is no error. A field that "
    + "no task has is most likely misspelt. Where tasks would meet the query for want of it, it is refused: in !=, behind !, and "
    + "compared with another field; unless the query itself asks whether it is null: archived == null || archived != true. Alone, "
    + "or in == with a value, no task meets it, and a note says so."
  static let oneTransaction =
    "However many tasks are named, they are one transaction: all of them change, or none. A task that already is as "
    + "asked for stays unchanged, which is no error; one that does not exist is one, with exit code 1."
}
