#if canImport(Darwin)
  import Darwin
  import LedgerCore

  /// Is told by the kernel (kqueue(2)); written from the documentation, never run.
  ///
  /// A folder tells of names that come and go, not of writes to its files: beside the ledger's folder and `segments` the active
  /// segment is followed, by a descriptor of its own that is good for events alone.
  package final class KqueueWatch: FolderWatch {
    private let queue: Descriptor
    private let folder: Descriptor
    private let segments: Descriptor
    private let active = Guarded<(name: String, file: Descriptor)?>(nil)

    /// - Parameter folder: the ledger's folder, held open.
    init(_ folder: Int32) throws(Errno) {
      queue = Descriptor(owning: try SystemCalls.repeated("kqueue") { kqueue() })
      self.folder = try Self.open(".", in: folder)
      segments = try Self.open(LedgerNames.segments, in: folder)
      try add(self.folder, Self.ofFolders)
      try add(segments, Self.ofFolders)
      try change(0, EVFILT_USER, EV_ADD | EV_CLEAR, 0)
    }

    private static let ofFolders = NOTE_WRITE | NOTE_DELETE | NOTE_RENAME | NOTE_REVOKE
    private static let ofFiles = NOTE_WRITE | NOTE_EXTEND | NOTE_DELETE

    private static func open(_ name: String, in folder: Int32) throws(Errno) -> Descriptor {
      Descriptor(
        owning: try SystemCalls.repeated("openat") {
          openat(folder, name, O_EVTONLY | O_CLOEXEC | O_NOFOLLOW)
        })
    }

    private func add(_ file: Descriptor, _ what: Int32) throws(Errno) {
      try file.use { (number) throws(Errno) in
        try change(UInt(number), EVFILT_VNODE, EV_ADD | EV_CLEAR, UInt32(what))
      }
    }

    private func change(
      _ ident: UInt, _ filter: Int32, _ flags: Int32, _ what: UInt32
    ) throws(Errno) {
      var event = kevent(
        ident: ident, filter: Int16(filter), flags: UInt16(flags), fflags: what, data: 0,
        udata: nil)
      try queue.use { (number) throws(Errno) in
        _ = try SystemCalls.repeated("kevent") { kevent(number, &event, 1, nil, 0, nil) }
      }
    }

    package func follow(_ name: String) -> Bool {
      if active.withLock({ $0?.name == name }) { return false }
      let opened = try? folder.use { (number) throws(Errno) in try Self.open(name, in: number) }
      guard let opened, (try? add(opened, Self.ofFiles)) != nil else { return false }
      // Closing the one before ends its events.
      active.withLock { $0 = (name, opened) }
      return true
    }

    package func wait() -> Bool {
      var event = kevent()
      let count = try? queue.use { (number) throws(Errno) in
        try SystemCalls.repeated("kevent") { kevent(number, nil, 0, &event, 1, nil) }
      }
      return count == 1 && event.filter != Int16(EVFILT_USER)
    }

    package func wake() { try? change(0, EVFILT_USER, 0, UInt32(NOTE_TRIGGER)) }

    package func close() {
      active.withLock { $0 = nil }
      for file in [folder, segments, queue] { file.close() }
    }
  }
#endif
