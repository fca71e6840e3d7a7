/// The limits of tasks, events and transactions.
public enum Limits {
  /// The longest task id and the longest author, in bytes of UTF-8.
  public static let idBytesMax = 256
  /// The longest field name, in bytes of UTF-8.
  public static let fieldNameBytesMax = 256
  /// The most segments of a field name.
  public static let fieldNameSegmentsMax = 32
  /// How deep arrays may nest.
  public static let arrayDepthMax = 32
  /// The largest value, in bytes of its canonical JSON.
  public static let valueBytesMax = 1 << 20
  /// The largest event, in bytes of the canonical JSON of its changes, author and message.
  public static let eventBytesMax = 4 << 20
  /// The largest transaction: the sum of its events' sizes, in bytes.
  public static let transactionBytesMax = 64 << 20
  /// The most events of a transaction: one run must be able to hold all of them.
  public static let transactionEventsMax = 1 << 20
  /// How far ahead of the machine's clock a given time may lie, in milliseconds.
  public static let futureMillisecondsMax: Int64 = 86_400_000
}
