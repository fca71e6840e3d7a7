import LedgerCore
import LedgerFormat

/// `ledger completions`
enum CompletionsVerb: Verb {
  private static let shells = CompletionScript.allCases.map(\.rawValue)

  static let description = VerbDescription(
    "completions", "print the script by which a shell completes command lines",
    usage: ["SHELL", "--candidates [WORD...]"],
    operands: .any("SHELL", of: shells),
    options: [
      .flag(
        "candidates",
        "print what may stand in the place of the last WORD, which may be empty; the words are those behind ledger"
      )
    ],
    details: [
      "SHELL is bash, zsh or fish. Verbs, options, ids and the paths of ledgers and files are completed. tools/install puts "
        + "the scripts where these shells look for them: share/bash-completion/completions/ledger, "
        + "share/zsh/site-functions/_ledger and share/fish/vendor_completions.d/ledger.fish.",
      "With --candidates each line is what can be typed, a tab, and what it means; a line of a tab and the word files, or folders, "
        + "stands for those that the shell finds by itself. Of very many ids only the first \(Candidates.idsMax) are looked at, and ids with "
        + "characters that turn the direction of text or hide in it are left out.",
      "Nothing is changed, and where no ledger can be read there are no ids, which is no error.",
    ],
    examples: [
      .init("ledger completions bash", "prints the script for bash"),
      .init(
        "ledger completions fish > ~/.config/fish/completions/ledger.fish",
        "installs it for one user of fish"),
      .init(
        "ledger completions --candidates -- --ledger my.ledger to", "the verbs that begin with to"),
    ])

  static func run(_ session: Session) throws -> ExitStatus {
    let operands = session.arguments.operands
    guard !session.arguments.has("candidates") else {
      write(Candidates(operands, session.context), session)
      return .done
    }
    guard operands.count == 1, let script = CompletionScript(rawValue: operands[0]) else {
      throw LedgerError(
        .usage,
        "completions is for one of \(shells.joined(separator: ", ")), found \(found(operands))",
        hint: Suggestion.sentence(
          operands.count == 1
            ? Suggestion.closest(to: operands[0], among: shells).map { "ledger completions \($0)" }
            : [], else: ArgumentReader.usageHint(description)))
    }
    if session.isJSON {
      session.out.json { json in
        json.add("shell", script.rawValue)
        json.add("script", script.text)
      }
    } else {
      session.out.raw(script.text)
    }
    return .done
  }

  private static func found(_ operands: [String]) -> String {
    switch operands.count {
    case 0: "none"
    case 1: "\"\(operands[0].shortened)\""
    default: "\(operands.count)"
    }
  }

  /// What it means is cut to what fits beside it.
  private static let aboutColumns = 60

  private static func write(_ candidates: Candidates, _ session: Session) {
    let out = session.out
    for candidate in candidates.found where out.isOpen {
      if session.isJSON {
        out.json { json in
          json.add("candidate", candidate.text)
          json.add("about", candidate.about)
        }
      } else {
        let about = TextColumns.cut(out.shown(candidate.about), to: aboutColumns)
        out.line("\(candidate.text)\t\(about)")
      }
    }
    guard let ofShell = candidates.ofShell else { return }
    session.isJSON ? out.json { $0.add("ofShell", ofShell) } : out.line("\t\(ofShell)")
  }
}
