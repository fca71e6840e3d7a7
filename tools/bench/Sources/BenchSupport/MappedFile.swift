#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A file mapped into memory for reading; it stays mapped until the process ends.
public struct MappedFile {
  public let bytes: UnsafeBufferPointer<UInt8>

  public init(path: String) throws {
    let descriptor = open(path, O_RDONLY)
    guard descriptor >= 0 else { throw BenchError.system("open", path) }
    defer { close(descriptor) }
    let size = Int(lseek(descriptor, 0, SEEK_END))
    guard size >= 0 else { throw BenchError.system("seek in", path) }
    guard size > 0 else {
      bytes = UnsafeBufferPointer(start: nil, count: 0)
      return
    }
    let mapping = mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0)
    guard let mapping, mapping != MAP_FAILED else { throw BenchError.system("map", path) }
    bytes = UnsafeBufferPointer(start: mapping.assumingMemoryBound(to: UInt8.self), count: size)
  }

  /// Calls `body` with every line, without its newline.
  public func forEachLine(_ body: (UnsafeBufferPointer<UInt8>) throws -> Void) rethrows {
    guard let start = bytes.baseAddress else { return }
    var position = 0
    while position < bytes.count {
      let rest = bytes.count - position
      let newline = memchr(start + position, Int32(UInt8(ascii: "\n")), rest)
      let length = newline.map { UnsafeRawPointer(start + position).distance(to: $0) } ?? rest
      try body(UnsafeBufferPointer(start: start + position, count: length))
      position += length + 1
    }
  }
}
