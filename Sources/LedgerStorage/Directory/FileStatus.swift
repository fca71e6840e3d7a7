/// Which file it is, of which kind, and how long: what can be asked of a file that is written again and again.
package struct FileExtent: Sendable, Equatable {
  package let identity: FileStatus.Identity
  /// The length in bytes.
  package let size: UInt64
  /// Whether it is a regular file, and no folder, link, pipe or device.
  package let isFile: Bool

  package init(identity: FileStatus.Identity, size: UInt64, isFile: Bool) {
    self.identity = identity
    self.size = size
    self.isFile = isFile
  }
}

/// Which file it is, and what changes when somebody changes it (fstat(2)).
///
/// Two readings that are equal say that nobody wrote to the file, cut it, or put another in its place in between, as far as
/// the clock of the file system can tell such moments apart.
package struct FileStatus: Sendable, Equatable {
  /// Which file it is, whatever its name. The number of a file that is gone may be given to another.
  package struct Identity: Sendable, Hashable {
    package let device: UInt64
    package let number: UInt64

    package init(device: UInt64, number: UInt64) {
      self.device = device
      self.number = number
    }
  }

  package let identity: Identity
  /// The length in bytes.
  package let size: UInt64
  /// When it was changed last, in whatever units the directory counts.
  package let changed: Int64
  package let isFolder: Bool

  package init(identity: Identity, size: UInt64, changed: Int64, isFolder: Bool) {
    self.identity = identity
    self.size = size
    self.changed = changed
    self.isFolder = isFolder
  }
}
