import LedgerCore

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// An open file of a ``LocalDirectory``.
///
/// Calls may run on several threads at once; ``close()`` waits for none of them and spoils none of them.
package final class LocalFile: LedgerFile {
  package let name: String
  /// The path, as messages name it.
  private let path: String
  private let descriptor: Descriptor

  init(name: String, path: String, descriptor: Descriptor) {
    self.name = name
    self.path = path
    self.descriptor = descriptor
  }

  package func size() throws -> UInt64 {
    try trying(.size(path)) { () throws(Errno) in try descriptor.use(SystemCalls.size) }
  }

  package func status() throws -> FileStatus {
    try trying(.size(path)) { () throws(Errno) in
      try descriptor.use { (number) throws(Errno) in FileStatus(try SystemCalls.status(number)) }
    }
  }

  package func nextData(from offset: UInt64) throws -> UInt64? {
    try trying(.seekData(from: offset, path)) { () throws(Errno) in
      try descriptor.use { (number) throws(Errno) in
        try SystemCalls.nextData(number, from: offset)
      }
    }
  }

  package func read(at offset: UInt64, count: Int) throws -> [UInt8] {
    precondition(count >= 0, "a read of \(count) bytes")
    return try trying(.read(count, at: offset, path)) { () throws(Errno) in
      try descriptor.use { (number) throws(Errno) in
        try SystemCalls.read(number, at: offset, count: count)
      }
    }
  }

  package func write(_ bytes: [UInt8], at offset: UInt64) throws {
    try trying(.write(bytes.count, at: offset, path)) { () throws(Errno) in
      try descriptor.use { (number) throws(Errno) in
        try SystemCalls.write(number, bytes, at: offset)
      }
    }
  }

  package func sync() throws {
    try trying(.sync(path)) { () throws(Errno) in try descriptor.use(SystemCalls.syncData) }
  }

  package func truncate(to size: UInt64) throws {
    try trying(.truncate(to: size, path)) { () throws(Errno) in
      try descriptor.use { (number) throws(Errno) in
        try SystemCalls.truncate(number, to: size)
      }
    }
  }

  package func tryLock(_ kind: LockKind) throws -> Bool {
    try trying(.lock(kind, path)) { () throws(Errno) in
      try descriptor.use { (number) throws(Errno) in
        try SystemCalls.lock(number, kind == .shared ? LOCK_SH : LOCK_EX)
      }
    }
  }

  package func unlock() throws {
    try trying(.unlock(path)) { () throws(Errno) in
      _ = try descriptor.use { (number) throws(Errno) in
        try SystemCalls.lock(number, LOCK_UN)
      }
    }
  }

  package func close() { descriptor.close() }
}
