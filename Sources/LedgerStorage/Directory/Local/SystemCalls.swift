#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The POSIX calls behind ``LocalDirectory``: each repeated when a signal interrupts it, each error an ``Errno``.
enum SystemCalls {
  /// Repeats a call until no signal interrupts it.
  static func repeated<Number: SignedInteger>(
    _ name: String, _ call: () -> Number
  ) throws(Errno) -> Number {
    while true {
      let result = call()
      if result != -1 { return result }
      let code = errno
      if code != EINTR { throw Errno(code, from: name) }
    }
  }

  /// Never repeated: after EINTR the number is free already on Linux, and may be another file's.
  static func close(_ descriptor: Int32) {
    #if canImport(Glibc)
      _ = Glibc.close(descriptor)
    #else
      _ = Darwin.close(descriptor)
    #endif
  }

  /// The length of an open file.
  static func size(_ descriptor: Int32) throws(Errno) -> UInt64 {
    UInt64(clamping: try status(descriptor).st_size)
  }

  static func status(_ descriptor: Int32) throws(Errno) -> stat {
    var status = stat()
    _ = try repeated("fstat") { fstat(descriptor, &status) }
    return status
  }

  private static var seekData: Int32 {
    #if canImport(Glibc)
      // Part of the kernel's interface; glibc's header shows it to programs of GNU's own dialect only.
      3
    #else
      SEEK_DATA
    #endif
  }

  /// The first place that is in no hole, at or after a place; nil when there is none.
  static func nextData(_ descriptor: Int32, from offset: UInt64) throws(Errno) -> UInt64? {
    guard let start = off_t(exactly: offset) else { throw Errno(EINVAL) }
    do throws(Errno) {
      return UInt64(clamping: try repeated("lseek") { lseek(descriptor, start, seekData) })
    } catch {
      if error.code == ENXIO { return nil }
      // A file system that cannot tell: everything up to the end may be data.
      guard error.code == EINVAL || error.code == ENOTSUP else { throw error }
      return try size(descriptor) > offset ? offset : nil
    }
  }

  /// Takes or releases a lock; false when another open file description excludes it.
  static func lock(_ descriptor: Int32, _ operation: Int32) throws(Errno) -> Bool {
    do throws(Errno) {
      _ = try repeated("flock") { flock(descriptor, operation | LOCK_NB) }
      return true
    } catch {
      if error.code == EWOULDBLOCK { return false }
      throw error
    }
  }
}

// Contents.
extension SystemCalls {
  /// Apple systems refuse a longer transfer in one call, Linux cuts it short.
  private static let transferBytesMax = 1 << 30

  /// Above this, a read asks for the length first, so that a damaged count never claims memory.
  private static let readBytesUnchecked = 1 << 16

  /// Reads until `count` bytes are there or the file ends.
  static func read(
    _ descriptor: Int32, at offset: UInt64, count: Int
  ) throws(Errno) -> [UInt8] {
    guard let start = off_t(exactly: offset), start <= off_t.max - off_t(count) else {
      throw Errno(EINVAL)
    }
    var count = count
    if count > readBytesUnchecked {
      let size = try size(descriptor)
      count = size > offset ? Int(clamping: min(UInt64(count), size - offset)) : 0
    }
    if count == 0 { return [] }
    // The initializer below rethrows without the type of the error.
    var failure: Errno?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      do throws(Errno) {
        while filled < count {
          let rest = UnsafeMutableBufferPointer(rebasing: buffer[filled..<count])
          let moved = try repeated("pread") {
            pread(
              descriptor, rest.baseAddress, min(rest.count, transferBytesMax),
              start + off_t(filled))
          }
          if moved == 0 { break }
          filled += moved
        }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }

  /// Writes until all bytes are there.
  static func write(
    _ descriptor: Int32, _ bytes: [UInt8], at offset: UInt64
  ) throws(Errno) {
    guard let start = off_t(exactly: offset), start <= off_t.max - off_t(bytes.count) else {
      throw Errno(EFBIG)
    }
    try bytes.withUnsafeBufferPointer { (bytes) throws(Errno) in
      var written = 0
      while written < bytes.count {
        let rest = UnsafeBufferPointer(rebasing: bytes[written...])
        let moved = try repeated("pwrite") {
          pwrite(
            descriptor, rest.baseAddress, min(rest.count, transferBytesMax),
            start + off_t(written))
        }
        // No system does this to a regular file; should one, an endless loop is the worst answer.
        if moved == 0 { throw Errno(EIO) }
        written += moved
      }
    }
  }

  static func truncate(_ descriptor: Int32, to size: UInt64) throws(Errno) {
    guard let size = off_t(exactly: size) else { throw Errno(EFBIG) }
    _ = try repeated("ftruncate") { ftruncate(descriptor, size) }
  }

  /// Makes contents and length durable.
  static func syncData(_ descriptor: Int32) throws(Errno) {
    #if canImport(Glibc)
      _ = try repeated("fdatasync") { fdatasync(descriptor) }
    #else
      try syncAll(descriptor)
    #endif
  }

  /// Makes everything about an open file or folder durable.
  static func syncAll(_ descriptor: Int32) throws(Errno) {
    #if !canImport(Glibc)
      // fsync on Apple systems leaves the data in the cache of the drive. File systems that have no
      // F_FULLFSYNC (network shares) get what they do have.
      do throws(Errno) {
        _ = try repeated("fcntl(F_FULLFSYNC)") { fcntl(descriptor, F_FULLFSYNC) }
        return
      } catch {
        if ![ENOTSUP, EINVAL, ENOTTY].contains(error.code) { throw error }
      }
    #endif
    _ = try repeated("fsync") { fsync(descriptor) }
  }
}
