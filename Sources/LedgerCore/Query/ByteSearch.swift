/// Finds bytes in bytes in time proportional to both together, whatever they are.
enum ByteSearch {
  /// Up to this length it is quickest to compare at each place.
  private static let shortMax = 16

  static func contains(
    _ whole: UnsafeBufferPointer<UInt8>, _ part: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    guard let first = part.first else { return true }
    guard part.count <= whole.count else { return false }
    guard part.count <= shortMax else { return containsLong(whole, part) }
    return (0...(whole.count - part.count)).contains { start in
      whole[start] == first && whole[start..<(start + part.count)].elementsEqual(part)
    }
  }

  /// After bytes that do not go on as they should, the longest beginning of the part that they end with may still be one of a
  /// match (Knuth, Morris and Pratt).
  private static func containsLong(
    _ whole: UnsafeBufferPointer<UInt8>, _ part: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    // For each length of a beginning, the length of the longest shorter one that it ends with.
    var shorter = [0, 0]
    shorter.reserveCapacity(part.count + 1)
    var length = 0
    for byte in part.dropFirst() {
      while length > 0, part[length] != byte { length = shorter[length] }
      if part[length] == byte { length += 1 }
      shorter.append(length)
    }
    length = 0
    for byte in whole {
      while length > 0, part[length] != byte { length = shorter[length] }
      if part[length] == byte { length += 1 }
      if length == part.count { return true }
    }
    return false
  }
}
