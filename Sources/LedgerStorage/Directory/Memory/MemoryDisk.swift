#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Everything in a ``MemoryDirectory``, as one value: a copy of it is a copy of the disk.
///
/// - Files and folders have numbers (the inodes of a file system); names lead to them.
/// - A file stays as long as a name or an open handle leads to it, or a name will after a power cut.
/// - A handle has a number that is never used again: one that was closed finds nothing.
struct MemoryDisk: Sendable {
  /// One result of `open`: what flock(2) calls an open file description.
  struct Handle: Sendable {
    let node: Int
    let mode: OpenMode
    var lock: LockKind?
  }

  /// The number of the ledger folder.
  static let root = 0

  var files: [Int: MemoryContent] = [:]
  var folders: [Int: MemoryFolder] = [root: MemoryFolder()]
  /// How many bytes all files can have together; nil: any number.
  var bytesMax: Int?
  private(set) var handles: [Int: Handle] = [:]
  private var nextNumber = 1
  /// Files that lost a name: only these can become unreachable.
  private var unnamed: Set<Int> = []

  mutating func takeNumber() -> Int {
    defer { nextNumber += 1 }
    return nextNumber
  }

  /// The number that a name leads to.
  func node(_ name: RelativeName) throws(Errno) -> Int {
    var node = Self.root
    for part in name.parts {
      guard let folder = folders[node] else { throw Errno(ENOTDIR) }
      guard let next = folder.visible[part] else { throw Errno(ENOENT) }
      node = next
    }
    return node
  }

  /// How a file or folder stands.
  func status(of node: Int) -> FileStatus {
    FileStatus(
      identity: FileStatus.Identity(device: 0, number: UInt64(node)),
      size: UInt64(files[node]?.visible.count ?? 0), changed: files[node]?.changes ?? 0,
      isFolder: folders[node] != nil)
  }

  /// The number of a folder.
  func folder(_ name: RelativeName) throws(Errno) -> Int {
    let node = try node(name)
    guard folders[node] != nil else { throw Errno(ENOTDIR) }
    return node
  }

  /// The folder that holds an entry, and the entry's name in it.
  func place(_ name: RelativeName) throws(Errno) -> (folder: Int, name: MemoryFolder.Name) {
    guard let last = name.parts.last else { throw Errno(EINVAL) }
    return (try folder(name.parent), last)
  }

  mutating func open(_ name: RelativeName, _ mode: OpenMode) throws(Errno) -> Int {
    let node =
      switch mode {
      case .folder: try folder(name)
      case .read, .readWrite: try node(name)
      case .create: try createFile(name)
      }
    if mode != .folder && folders[node] != nil { throw Errno(EISDIR) }
    let number = takeNumber()
    handles[number] = Handle(node: node, mode: mode)
    return number
  }

  private mutating func createFile(_ name: RelativeName) throws(Errno) -> Int {
    let place = try place(name)
    if folders[place.folder]?.visible[place.name] != nil { throw Errno(EEXIST) }
    let node = takeNumber()
    files[node] = MemoryContent()
    folders[place.folder]?.set(place.name, node)
    return node
  }

  /// Writes into a file; of what the disk has no room for the first bytes, as many as fit.
  mutating func write(_ bytes: [UInt8], at offset: UInt64, to node: Int) throws(Errno) {
    guard let bytesMax, let length = files[node]?.visible.count, offset <= UInt64(bytesMax),
      Int(offset) + bytes.count > length
    else {
      try files[node]?.write(bytes, at: offset)
      return
    }
    let used = files.values.reduce(0) { $0 + $1.visible.count }
    let fitting = max(0, bytesMax - (used - length) - Int(offset))
    try files[node]?.write(Array(bytes.prefix(fitting)), at: offset)
    if fitting < bytes.count { throw Errno(ENOSPC) }
  }

  mutating func close(_ number: Int) {
    guard let handle = handles.removeValue(forKey: number) else { return }
    dropIfUnreachable(handle.node)
  }

  func handle(_ number: Int) throws(Errno) -> Handle {
    guard let handle = handles[number] else { throw Errno(EBADF) }
    return handle
  }

  /// Frees a file that lost its name, once nothing leads to it any more.
  mutating func nameLost(_ node: Int) {
    unnamed.insert(node)
    dropIfUnreachable(node)
  }

  private mutating func dropIfUnreachable(_ node: Int) {
    guard unnamed.contains(node) else { return }
    let isOpen = handles.values.contains { $0.node == node }
    if isOpen || folders.values.contains(where: { $0.mentioned.contains(node) }) { return }
    files[node] = nil
    unnamed.remove(node)
  }

  /// Frees all files that nothing leads to any more.
  mutating func dropUnreachable() {
    var reachable = Set(handles.values.map(\.node))
    for folder in folders.values { reachable.formUnion(folder.mentioned) }
    files = files.filter { reachable.contains($0.key) }
  }

  /// Takes a lock, or changes its kind. As on Linux, where changing means to release and to take again: when it
  /// fails, the lock that was held is gone.
  mutating func tryLock(_ number: Int, _ kind: LockKind) throws(Errno) -> Bool {
    let node = try handle(number).node
    if handles[number]?.lock == kind { return true }
    handles[number]?.lock = nil
    for (_, other) in handles where other.node == node {
      guard let held = other.lock else { continue }
      if held == .exclusive || kind == .exclusive { return false }
    }
    handles[number]?.lock = kind
    return true
  }

  mutating func unlock(_ number: Int) throws(Errno) {
    _ = try handle(number)
    handles[number]?.lock = nil
  }

  /// Closes every handle, as the end of a process does.
  mutating func closeAll() {
    handles.removeAll()
    dropUnreachable()
  }
}
