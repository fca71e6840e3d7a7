#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

// Names in folders.
extension MemoryDisk {
  mutating func makeFolder(_ name: RelativeName) throws(Errno) {
    let place = try place(name)
    if folders[place.folder]?.visible[place.name] != nil { throw Errno(EEXIST) }
    let node = takeNumber()
    folders[node] = MemoryFolder()
    folders[place.folder]?.set(place.name, node)
  }

  /// Makes the entries of a folder durable; what lost its last durable name is freed.
  mutating func syncFolder(_ node: Int) {
    folders[node]?.sync()
    dropUnreachable()
  }

  mutating func unlink(_ name: RelativeName) throws(Errno) {
    let node = try node(name)
    if folders[node] != nil { throw Errno(Self.unlinkedFolder) }
    let place = try place(name)
    folders[place.folder]?.set(place.name, nil)
    nameLost(node)
  }

  mutating func rename(_ name: RelativeName, to newName: RelativeName) throws(Errno) {
    let node = try node(name)
    let (from, to) = (try place(name), try place(newName))
    let displaced = folders[to.folder]?.visible[to.name]
    if displaced == node { return }
    if folders[node] != nil && newName.parts.starts(with: name.parts) { throw Errno(EINVAL) }
    if let displaced { try checkReplaceable(displaced, by: node) }
    folders[from.folder]?.set(from.name, nil)
    folders[to.folder]?.set(to.name, node)
    if let displaced { nameLost(displaced) }
  }

  /// A file replaces a file, a folder an empty folder.
  private func checkReplaceable(_ old: Int, by new: Int) throws(Errno) {
    switch (folders[new], folders[old]) {
    case (nil, nil): return
    case (nil, .some): throw Errno(EISDIR)
    case (.some, nil): throw Errno(ENOTDIR)
    case (.some, let folder?): if !folder.visible.isEmpty { throw Errno(ENOTEMPTY) }
    }
  }

  /// What unlink(2) of a folder answers.
  private static var unlinkedFolder: Int32 {
    #if canImport(Glibc)
      EISDIR
    #else
      EPERM
    #endif
  }

  /// Every file that can be seen, by its name.
  func contents() -> [String: [UInt8]] {
    var contents: [String: [UInt8]] = [:]
    collect(Self.root, "", &contents)
    return contents
  }

  private func collect(_ folder: Int, _ path: String, _ contents: inout [String: [UInt8]]) {
    for (name, node) in folders[folder]?.visible ?? [:] {
      let path = path.isEmpty ? text(name) : joinPath(path, text(name))
      if let file = files[node] { contents[path] = file.visible }
      collect(node, path, &contents)
    }
  }

  func list(_ folder: RelativeName) throws(Errno) -> [String] {
    let names = folders[try self.folder(folder)]?.visible.keys.map(text) ?? []
    return names.sorted(by: precedesInBytes)
  }

  private func text(_ name: MemoryFolder.Name) -> String { String(decoding: name, as: UTF8.self) }

  /// Gives a file these bytes, seen and durable alike, and makes it where it is missing.
  mutating func setContents(_ name: RelativeName, _ bytes: [UInt8]) throws(Errno) {
    let place = try place(name)
    let node = folders[place.folder]?.visible[place.name] ?? takeNumber()
    if folders[node] != nil { throw Errno(EISDIR) }
    files[node] = MemoryContent(bytes, changes: (files[node]?.changes ?? 0) + 1)
    folders[place.folder]?.setDurably(place.name, node)
  }
}
