/// A mistake that a storage engine could make, played by the folder under it: the ledger believes that it did right.
package enum PlantedFault: String, Sendable, CaseIterable {
  /// The sync of appended frames is left out.
  case noFrameSync = "no-frame-sync"
  /// The sync of appended frames comes after the acknowledgement: with the next call.
  case lateFrameSync = "late-frame-sync"
  /// The sync of new files in `segments` other than the active ones is left out.
  case noSealedSync = "no-sealed-sync"
  /// The sync of a new manifest is left out.
  case noManifestSync = "no-manifest-sync"
  /// The sync of the ledger's folder after CURRENT was renamed is left out.
  case noFolderSyncAfterRename = "no-folder-sync-after-rename"
  /// The sync of the folder `segments` is left out.
  case noSegmentsFolderSync = "no-segments-folder-sync"
  /// CURRENT is renamed first, durably, and its contents are synced afterwards.
  case renameBeforeSync = "rename-before-sync"
  /// A failed sync of appended frames is taken for a good one.
  case failedSyncIgnored = "failed-sync-ignored"
  /// Nobody takes the folder lock: appends and manifest steps of two handles meet.
  case noFolderLock = "no-folder-lock"
}
