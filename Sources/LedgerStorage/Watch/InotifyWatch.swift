#if canImport(Glibc)
  import Glibc
  import LedgerCore
  import LedgerFormat

  /// Is told by the kernel (inotify(7)).
  ///
  /// - In the folder itself: names that come by renaming, CURRENT above all, and any that go: what is left when a ledger is
  ///   deleted is found by looking at it. A folder that is moved stays watched: the watch is of the folder, not of its path.
  /// - In `segments`: writes to active segments, whichever is the one, and files that go.
  ///
  /// The descriptor is the only one. Removing the watch of the folder makes the kernel report that, which wakes who waits.
  package final class InotifyWatch: FolderWatch {
    private let inotify: Descriptor
    private let root: Int32
    private let segments: Int32

    /// - Parameter folder: the ledger's folder, held open.
    /// - Throws: EMFILE or ENOSPC where a limit of inotify is reached, ENOENT where the ledger is gone.
    init(_ folder: Int32) throws(Errno) {
      let number = try SystemCalls.repeated("inotify_init1") { inotify_init1(Int32(IN_CLOEXEC)) }
      let inotify = Descriptor(owning: number)
      // By the descriptor the folder is found wherever it was moved to.
      let path = "/proc/self/fd/\(folder)"
      root = try Self.add("\(path)/.", IN_MOVED_TO, to: number)
      segments = try Self.add("\(path)/\(LedgerNames.segments)", IN_MODIFY, to: number)
      self.inotify = inotify
    }

    private static func add(_ path: String, _ what: Int32, to number: Int32) throws(Errno) -> Int32
    {
      let flags = what | IN_DELETE | IN_MOVED_FROM | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR
      return try SystemCalls.repeated("inotify_add_watch") {
        inotify_add_watch(number, path, UInt32(bitPattern: flags))
      }
    }

    package func wait() -> Bool {
      while true {
        guard let bytes = read() else { return false }
        switch news(bytes) {
        case .end: return false
        case .change: return true
        case .nothing: continue
        }
      }
    }

    package func wake() {
      let root = root
      _ = try? inotify.use { (number) throws(Errno) in
        try SystemCalls.repeated("inotify_rm_watch") { inotify_rm_watch(number, root) }
      }
    }

    package func close() { inotify.close() }

    /// Room for many reports: the kernel gives as many as fit, whole ones only.
    private static let bufferBytes = 16384

    private func read() -> [UInt8]? {
      try? inotify.use { (number) throws(Errno) in
        var bytes = [UInt8](repeating: 0, count: Self.bufferBytes)
        let count = try SystemCalls.repeated("read") { Glibc.read(number, &bytes, bytes.count) }
        return Array(bytes[..<count])
      }
    }

    private enum News { case nothing, change, end }

    /// What some reports say. A report is `wd:i32 mask:u32 cookie:u32 length:u32 name`, the name filled up with zeros.
    private func news(_ bytes: [UInt8]) -> News {
      var reader = ByteReader(bytes)
      var news = News.nothing
      do throws(LedgerError) {
        while reader.remaining > 0 {
          let watch = Int32(bitPattern: try reader.u32())
          let mask = Int32(bitPattern: try reader.u32())
          _ = try reader.u32()
          let name = try reader.take(Int(try reader.u32())).prefix { $0 != 0 }
          if mask & IN_IGNORED != 0 { return .end }
          if matters(watch, mask, name) { news = .change }
        }
        return news
      } catch {
        // Not as it is documented: whatever it says, a look does no harm.
        return .change
      }
    }

    private func matters(_ watch: Int32, _ mask: Int32, _ name: ArraySlice<UInt8>) -> Bool {
      if mask & IN_MOVED_TO != 0 { return name.elementsEqual(LedgerNames.current.utf8) }
      if mask & IN_MODIFY != 0 { return name.suffix(7).elementsEqual(".active".utf8) }
      return true
    }
  }
#endif
