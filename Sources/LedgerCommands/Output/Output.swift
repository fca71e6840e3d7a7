import LedgerCore
import LedgerFormat

/// One of the two streams that a command writes to.
///
/// Writing never throws: a failure is kept, everything after it is dropped, and `finish()` throws it. Long work asks `isOpen`
/// now and then and ends early when nobody can read what it makes.
///
/// What comes from tasks is made safe on a terminal: `shown` for people, `machine` for programs.
package final class Output {
  private let target: OutputTarget
  private var buffer: [UInt8] = []
  private var failure: LedgerError?
  /// Whether what is written still has a reader.
  package private(set) var isOpen = true

  private static let bufferBytes = 1 << 16

  package init(_ target: OutputTarget) { self.target = target }

  /// Whether a person sees it.
  package var isTerminal: Bool { target.isTerminal }

  /// How many columns a line has on the terminal.
  package var columns: Int { target.columns }

  /// Whether a line that was written can be taken back.
  package var movesCursor: Bool { target.movesCursor }

  /// Writes a line for people; texts of tasks in it went through `shown`.
  package func line(_ text: String = "") {
    buffer.append(contentsOf: text.utf8)
    buffer.append(0x0a)
    if buffer.count >= Self.bufferBytes { flush() }
  }

  /// Puts together a text with the styles that the stream has.
  var lineWriter: LineWriter { LineWriter(isStyled: target.isStyled) }

  /// Writes a line for people part by part, which costs least; texts of tasks in it went through `shown`.
  package func line(_ build: (inout LineWriter) -> Void) {
    // Moved, not copied: two owners would copy the buffer at the first write.
    var writer = lineWriter
    swap(&writer.bytes, &buffer)
    build(&writer)
    swap(&writer.bytes, &buffer)
    buffer.append(0x0a)
    if buffer.count >= Self.bufferBytes { flush() }
  }

  /// Writes bytes for programs: exactly, but for a terminal, which no task may drive.
  package func machine(_ bytes: [UInt8]) {
    buffer.append(contentsOf: target.isTerminal ? TerminalText.escaped(json: bytes) : bytes)
    if buffer.count >= Self.bufferBytes { flush() }
  }

  /// Writes a JSON object as a line.
  package func json(_ members: (inout JSONObjectWriter) -> Void) {
    var bytes = JSONObjectWriter.object(members)
    bytes.append(0x0a)
    machine(bytes)
  }

  /// Writes to a terminal what is no line, such as progress.
  package func raw(_ text: String) { buffer.append(contentsOf: text.utf8) }

  /// Hands over what is buffered.
  package func flush() {
    defer { buffer.removeAll(keepingCapacity: true) }
    guard isOpen, !buffer.isEmpty else { return }
    do throws(WriteFailure) {
      try target.sink.write(buffer)
    } catch {
      isOpen = false
      if case .failed(let error) = error { failure = error }
    }
  }

  /// Hands over what is left.
  ///
  /// - Throws: the first error of any write; none when the reader left.
  package func finish() throws(LedgerError) {
    flush()
    if let failure { throw failure }
  }
}

extension Output {
  /// A text from a task or a path, fit for a line for people.
  package func shown(_ text: String) -> String { TerminalText.escaped(text) }

  /// A text as a column of a line, alone between tabs for other programs: there a backslash is doubled, so that what is
  /// escaped can be told from what was typed, and read back.
  package func column(_ text: String) -> String {
    target.isTerminal ? shown(text) : TerminalText.escaped(text, doublingBackslashes: true)
  }

  /// An id as a line for people and scripts has it: as it stands, so that it can be given back, backslashes too. What turns the
  /// direction of text or hides in it is shown escaped here as well; who wants such an id exactly asks for JSON.
  package func shown(_ id: TaskID) -> String { TerminalText.escaped(id.text) }

  /// The text in one style, where the stream has styles.
  package func styled(_ text: String, _ style: TextStyle) -> String {
    target.isStyled && !text.isEmpty ? "\u{1b}[\(style.rawValue)m\(text)\u{1b}[0m" : text
  }

  /// The text in several styles, where the stream has styles.
  package func styled(_ text: String, _ styles: TextStyle...) -> String {
    guard target.isStyled, !styles.isEmpty, !text.isEmpty else { return text }
    let codes = styles.map { String($0.rawValue) }.joined(separator: ";")
    return "\u{1b}[\(codes)m\(text)\u{1b}[0m"
  }
}

/// What a stream leads to.
package struct OutputTarget {
  package var sink: any ByteSink
  /// Whether a person sees it.
  package var isTerminal: Bool
  /// How many columns a line has; counts only on a terminal.
  package var columns: Int
  /// Whether colours and other styles are welcome.
  package var isStyled: Bool
  /// Whether the terminal can take a line back.
  package var movesCursor: Bool

  package init(
    sink: any ByteSink, isTerminal: Bool, columns: Int = 80, isStyled: Bool = false,
    movesCursor: Bool = false
  ) {
    self.sink = sink
    self.isTerminal = isTerminal
    self.columns = columns
    self.isStyled = isStyled
    self.movesCursor = movesCursor
  }
}

/// How text looks on a terminal: the parameters of SGR (ECMA-48, section 8.3.117).
package enum TextStyle: Int {
  case bold = 1
  case dim = 2
  case struck = 9
  case red = 31
  case green = 32
  case yellow = 33
  case cyan = 36
}
