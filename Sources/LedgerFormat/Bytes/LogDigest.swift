import LedgerCore

/// D(n) = SHA-256(D(n-1) ‖ SHA-256(metadata of event n ‖ SHA-256(content of event n))), D(0) = 32 zero
/// bytes.
///
/// It depends on what the events say, never on how a file holds them.
package struct LogDigest: Hashable, Sendable {
  package private(set) var value: Digest
  /// The sequence number of the last event that it covers.
  package private(set) var sequence: UInt64

  /// Before the first event.
  package static let empty = LogDigest(value: .zero, sequence: 0)

  package init(value: Digest, sequence: UInt64) {
    self.value = value
    self.sequence = sequence
  }

  /// Adds the next event.
  package mutating func append(_ event: Event, scratch: inout [UInt8]) {
    append(leaf: EventDigest.leaf(event, scratch: &scratch))
  }

  /// Adds the next event by its own digest.
  package mutating func append(leaf: Digest) {
    var hash = SHA256Stream()
    hash.update(value)
    hash.update(leaf)
    value = hash.finish()
    sequence += 1
  }
}

/// The digest of one event, over encodings that are part of the format and used for nothing else.
package enum EventDigest {
  /// SHA-256(metadata ‖ SHA-256(content)).
  package static func leaf(_ event: Event, scratch: inout [UInt8]) -> Digest {
    scratch.removeAll(keepingCapacity: true)
    appendContent(of: event, to: &scratch)
    let content = Digest(of: scratch)
    scratch.removeAll(keepingCapacity: true)
    appendMetadata(of: event, to: &scratch)
    scratch.append(digest: content)
    return Digest(of: scratch)
  }

  /// kind, task id, then the changes in order of field name: name, value with its tag.
  package static func appendContent(of event: Event, to bytes: inout [UInt8]) {
    bytes.append(event.kind.rawValue)
    bytes.append(idText: event.task)
    bytes.append(varint: UInt64(event.changes.count))
    for change in event.changes {
      bytes.append(text: change.name.text)
      bytes.append(value: change.value)
    }
  }

  /// sequence, time, replica, count, transaction, whether it ends it, recorded, author, message, undoes.
  package static func appendMetadata(of event: Event, to bytes: inout [UInt8]) {
    bytes.append(u64: event.sequence)
    bytes.append(u64: UInt64(bitPattern: event.time.milliseconds))
    bytes.append(replica: event.stamp.replica)
    bytes.append(u64: event.stamp.count)
    bytes.append(u64: event.transaction)
    bytes.append(event.endsTransaction ? 1 : 0)
    bytes.append(u64: UInt64(bitPattern: event.recorded.milliseconds))
    bytes.append(text: event.author)
    bytes.append(event.message == nil ? 0 : 1)
    if let message = event.message { bytes.append(text: message) }
    bytes.append(varint: event.undoes ?? 0)
  }
}
