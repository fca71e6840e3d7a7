import BenchSupport
import Foundation
import Testing

@testable import Workload

/// The lines of the workload as a reader of the output gets them.
func printed(_ form: WorkloadPrinter.Form, events: Int, seed: UInt64 = 1) throws -> [String] {
  let name = "workload-\(UUID().uuidString)"
  let path = FileManager.default.temporaryDirectory.appendingPathComponent(name).path
  let descriptor = open(path, O_CREAT | O_EXCL | O_RDWR, 0o600)
  try #require(descriptor >= 0)
  defer {
    close(descriptor)
    unlink(path)
  }
  var printer = WorkloadPrinter(seed: seed, to: OutputBuffer(descriptor: descriptor))
  try printer.print(form, events: events)
  var lines: [String] = []
  try MappedFile(path: path).forEachLine { lines.append($0.string) }
  return lines
}

/// Members of one object, each value as its JSON text.
func members(of object: String) throws -> [String: String] {
  var result: [String: String] = [:]
  try Array(object.utf8).withUnsafeBufferPointer { bytes in
    var members = try JSONMembers(bytes)
    while try members.next() { result[members.key.string] = members.value.string }
  }
  return result
}
