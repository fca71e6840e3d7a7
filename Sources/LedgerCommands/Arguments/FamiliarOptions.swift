import LedgerCore

/// Options that people know from other programs, and how the same is said here.
enum FamiliarOptions {
  /// What to say about an option that a verb does not have; nil where nothing is known.
  static func hint(_ name: String, of verb: VerbDescription) -> String? {
    for same in sameAs[name] ?? [] {
      guard let option = verb.options.first(where: { $0.name == same }) else { continue }
      return Suggestion.sentence([option.spelled], else: "")
    }
    if ShortForms.verbs.contains(verb.name), let word = words[name] { return word }
    switch (verb.name, name) {
    case ("list", "--where"), ("list", "--filter"), ("list", "-q"):
      return "the query stands alone: `ledger list 'priority >= 2'`"
    case ("list", "--all"), ("list", "-a"):
      return "all but deleted tasks are shown in any case; --deleted shows these, too"
    case ("delete", "-f"), ("delete", "-r"), ("delete", "-rf"), ("delete", "--force"),
      ("evict", "-f"):
      return "there is nothing to force: `ledger undo` takes it back"
    case ("backup", "--to"): return "the folder stands alone: `ledger backup DEST`"
    case ("diff", "--since"), ("diff", "--at"): return "did you mean `--from MOMENT`?"
    default: return nil
    }
  }

  /// Options under other names, where the verb has them.
  private static let sameAs = [
    "-m": ["message"], "--comment": ["message"], "--reason": ["message"],
    "-n": ["last", "limit"], "--tail": ["last"], "--head": ["limit"], "--max": ["limit"],
    "--completed": ["done"], "--complete": ["done"], "--pending": ["open"], "--todo": ["open"],
    "--order": ["sort"], "--order-by": ["sort"], "--after": ["since"], "--before": ["until"],
    "--user": ["author"], "--text": ["search"], "--grep": ["search"], "-g": ["search"],
  ]

  /// Fields that are set by words.
  private static let words = [
    "--due": "a word sets the day: due:tomorrow, due:2026-12-24",
    "--priority": "a word sets it: pri:1", "--pri": "a word sets it: pri:1",
    "-p": "a word sets it: pri:1",
    "--tag": "a word sets it: +home", "--tags": "words set them: +home +garden",
    "-t": "a word sets it: +home",
  ]
}
