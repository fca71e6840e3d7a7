import LedgerCore
import LedgerFormat

/// `ledger man`
enum ManVerb: Verb {
  static let description = VerbDescription(
    "man", "print the manual page",
    usage: [""],
    details: [
      "It is made of what --help prints, in the language of man(7). tools/install puts it where `man ledger` finds it."
    ],
    examples: [
      .init("ledger man | man -l -", "reads it on a system with man-db"),
      .init("ledger --json man", "one object that holds it, for a program"),
    ])

  static func run(_ session: Session) throws -> ExitStatus {
    if session.isJSON {
      session.out.json { $0.add("page", ManPage.text()) }
    } else {
      session.out.raw(ManPage.text())
    }
    return .done
  }
}
