import Foundation

/// A document as JSON, read by a reader that is not the product's.
indirect enum JSONDocument: Decodable {
  case null
  case bool(Bool)
  case int(Int64)
  case double(Double)
  case text(String)
  case array([JSONDocument])
  case object([String: JSONDocument])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .int(value)
    } else if let value = try? container.decode(Double.self) {
      self = .double(value)
    } else if let value = try? container.decode(String.self) {
      self = .text(value)
    } else if let value = try? container.decode([JSONDocument].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSONDocument].self))
    }
  }

  init(_ json: String) throws {
    self = try JSONDecoder().decode(JSONDocument.self, from: Data(json.utf8))
  }

  /// What lies at the end of a path; null where it leads nowhere.
  func value(at path: [String]) -> JSONDocument {
    guard let first = path.first else { return self }
    guard case .object(let members) = self, let member = members[first] else { return .null }
    return member.value(at: Array(path.dropFirst()))
  }
}
