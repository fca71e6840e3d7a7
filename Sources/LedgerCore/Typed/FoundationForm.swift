/// A type of Foundation that has a better form in a document than the one it encodes itself to: a date as the time that it is, a
/// URL as its text, a UUID in lower case, as ids have it.
///
/// It is told by its name, and made by its own coding: this module does without Foundation, which would make the start of every
/// process that opens a ledger slower.
enum FoundationForm {
  case date, url, uuid

  init?(_ type: Any.Type) {
    switch String(reflecting: type) {
    case "Foundation.Date", "FoundationEssentials.Date": self = .date
    case "Foundation.URL", "FoundationEssentials.URL": self = .url
    case "Foundation.UUID", "FoundationEssentials.UUID": self = .uuid
    default: return nil
    }
  }

  /// A date encodes itself as seconds since 2001-01-01T00:00:00Z.
  private static let millisecondsOfReference: Int64 = 978_307_200_000

  /// The value in a document, and the time that it is.
  func value(
    of value: some Encodable, at place: String
  ) throws -> (value: Value, time: LedgerTime?) {
    let own = TaskEncoding()
    try value.encode(to: TaskEncoder(own, .field("value"), []))
    let fields = try own.finish().changes
    switch (self, fields.first?.value) {
    case (.date, let seconds?):
      guard let number = seconds.double, let time = Self.time(ofReferenceSeconds: number) else {
        throw LedgerError(
          .invalid, "the field \"\(place)\" is a date outside the years 0000 to 9999")
      }
      return (.text(time.description), time)
    case (.uuid, .text(let text)?):
      return (.text(text.lowercased()), nil)
    case (.url, .text(let text)?) where fields.count == 1:
      return (.text(text), nil)
    default:
      throw LedgerError(
        .invalid,
        "the field \"\(place)\" is a URL that is relative to another, expected a whole one",
        hint: "give its absoluteURL")
    }
  }

  /// Seconds to the nearest millisecond: a double does not hold most of them exactly.
  private static func time(ofReferenceSeconds seconds: Double) -> LedgerTime? {
    let scaled = seconds * 1000
    guard abs(scaled) < 0x1p62 else { return nil }
    var milliseconds = Int64(scaled)
    let rest = scaled - Double(milliseconds)
    if rest >= 0.5 { milliseconds += 1 } else if rest < -0.5 { milliseconds -= 1 }
    return try? LedgerTime(milliseconds: milliseconds + millisecondsOfReference)
  }

  /// What a type of this form decodes itself from; nil for a text that is none.
  func source(of text: String) -> DecodedPart.Content? {
    switch self {
    case .date:
      guard let time = try? LedgerTime(text) else { return nil }
      // By way of 1970, so that a date made of such seconds comes back the same.
      let seconds = Double(time.milliseconds) / 1000
      return .value(.double(seconds - Double(Self.millisecondsOfReference) / 1000))
    case .uuid:
      return .value(.text(text))
    case .url:
      return .fields(TaskItem(id: "url", sortedFields: [("relative", .text(text))]), below: "")
    }
  }

  /// What it is called in messages.
  var expected: String {
    switch self {
    case .date: "a time such as 2026-11-30T12:00:00Z or 2026-11-30"
    case .url: "a URL"
    case .uuid: "a UUID"
    }
  }
}
