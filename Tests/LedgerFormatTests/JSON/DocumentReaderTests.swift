import LedgerCore
import Testing

@testable import LedgerFormat

@Suite struct `Documents as JSON` {
  /// The fields as "name=value" in order, "name=nil" for an unset.
  private func fields(_ json: String) throws -> [String] {
    try DocumentReader.changes(jsonBytes(json)).changes.map { change in
      "\(change.name)=\(change.value?.description ?? "nil")"
    }
  }

  @Test func `nested objects become dotted names`() throws {
    #expect(
      try fields(#"{"tags":{"shop":true,"home":{"a":1,"b":[1,2]}},"body":"x"}"#)
        == ["body=\"x\"", "tags.home.a=1", "tags.home.b=[1,2]", "tags.shop=true"])
  }

  @Test func `a key with a dot means the same path`() throws {
    #expect(try fields(#"{"a.b":1,"a":{"c":2}}"#) == ["a.b=1", "a.c=2"])
    #expect(try fields(#"{"a":{"b.c":1}}"#) == ["a.b.c=1"])
    #expect(try fields(#"{"a.b":{"c":1},"a":{"b":{"d":2}}}"#) == ["a.b.c=1", "a.b.d=2"])
    #expect(try fields(#"{"a\u002eb":1}"#) == ["a.b=1"])
  }

  @Test func `an empty object names no field and changes nothing`() throws {
    // Within one object a key stands once; paths that no leaf is at may meet.
    #expect(try fields(#"{"a.b":{},"a":{"b":{}}}"#) == [])
    #expect(try fields(#"{"a":1,"a.b":{}}"#) == ["a=1"])
    #expect(try fields("{}") == [])
    #expect(try fields(#"{"a":{},"b":{"c":{}},"a.b":1}"#) == ["a.b=1"])
    #expect(try fields(#"{"body":{}}"#) == [])
  }

  @Test func `null unsets`() throws {
    #expect(
      try fields(#"{"a":null,"b":{"c":null},"body":null}"#) == ["a=nil", "b.c=nil", "body=nil"])
  }

  @Test func `names are compared as bytes`() throws {
    #expect(try fields("{\"\u{e9}\":1,\"e\u{301}\":2}").count == 2)
  }

  @Test(
    arguments: [
      (#"{"a":1,"a":1}"#, #"column 8: the field "a" is named twice"#),
      (#"{"a":1,"\u0061":1}"#, #"column 8: the field "a" is named twice"#),
      (#"{"a.b":1,"a":{"b":1}}"#, #"column 15: the field "a.b" is named twice"#),
      (#"{"a":{},"a":{}}"#, #"column 9: the field "a" is named twice"#),
      (#"{"a":1,"a":{}}"#, #"column 8: the field "a" is named twice"#),
      (#"{"a":{},"b":1,"a":2}"#, #"column 15: the field "a" is named twice"#),
      (#"{"a":{"b":1},"a":{"c":1}}"#, #"column 14: the field "a" is named twice"#),
      (#"{"x":{"a":{},"a":{}}}"#, #"column 14: the field "x.a" is named twice"#),
      (#"{"a":null,"a":1}"#, #"column 11: the field "a" is named twice"#),
      (#"{"b":0,"a":1,"a.b":1}"#, #"column 14: the fields "a" and "a.b" exclude each other"#),
      (
        #"{"a":{"b":1},"c":{},"a.b.c":1}"#,
        #"column 21: the fields "a.b" and "a.b.c" exclude each other"#
      ),
      (#"{"a.b.c":1,"a":null}"#, #"column 12: the fields "a" and "a.b.c" exclude each other"#),
      (#"{"a":1,"b":1,"b":1,"a.c":1}"#, #"column 14: the field "b" is named twice"#),
    ])
  func `a field named twice is refused`(json: String, sentence: String) {
    #expect(jsonRefusal { try DocumentReader.changes(jsonBytes(json)) } == sentence)
  }

  @Test(
    arguments: [
      (#"{"":1}"#, "column 2: a field name has 0 bytes, expected 1 to 256"),
      (#"{"":{}}"#, "column 2: a field name has 0 bytes, expected 1 to 256"),
      (#"{"a..b":1}"#, #"column 2: the field name "a..b" has an empty segment"#),
      (#"{"a":{".b":1}}"#, #"column 7: the field name "a..b" has an empty segment"#),
      (#"{"a":{"":1}}"#, #"column 7: the field name "a." has an empty segment"#),
      (#"{"x":1,"_id":"a"}"#, #"column 8: the field "_id" cannot be set: a task keeps its id"#),
      (#"{"_id":{"a":1}}"#, #"column 9: the field "_id.a" cannot be set: a task keeps its id"#),
      (#"{"x":1,"body":1}"#, #"column 8: the field "body" is an integer, expected text"#),
      (
        #"{"isDeleted":0}"#,
        #"column 2: the field "isDeleted" is an integer, expected true or false"#
      ),
      (
        #"{"body":{"a":1}}"#,
        #"column 10: the field "body.a" cannot be set: "body" has nothing below it"#
      ),
      (
        #"{"a":{"b":[null]}}"#,
        #"column 12, field "a.b": found null, expected a value inside the array"#
      ),
      (#"{"a":[{}]}"#, #"column 7, field "a": found an object, expected a value inside the array"#),
      (#"{"a":tru}"#, #"column 6, field "a": found "tru", expected true"#),
    ])
  func `a field that the rules refuse is refused where it stands`(json: String, sentence: String) {
    #expect(jsonRefusal { try DocumentReader.changes(jsonBytes(json)) } == sentence)
  }

  @Test(
    arguments: [
      (#"{"isDeleted":0}"#, "isDeleted"), (#"{"x":1,"body":1}"#, "body"), (#"{"a":tru}"#, "a"),
      (#"{"x":1,"_id":"a"}"#, "_id"), (#"{"body":{"a":1}}"#, "body.a"),
      (#"{"a":{"b":1},"a":2}"#, "a"), (#"{"b":0,"a":1,"a.b":1}"#, "a.b"),
    ])
  func `programs are told the field that is refused`(json: String, field: String) {
    let error = #expect(throws: LedgerError.self) {
      try DocumentReader.changes(jsonBytes(json))
    }
    #expect(error?.field?.text == field)
  }

  @Test func `names have at most 32 segments and 256 bytes, nested or not`() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: #"{"a":"#, count: depth) + "1" + String(repeating: "}", count: depth)
    }
    let dotted = Array(repeating: "a", count: 32).joined(separator: ".")
    #expect(try fields(nested(32)) == ["\(dotted)=1"])
    #expect(try fields(#"{"\#(dotted)":{}}"#) == [])
    #expect(
      jsonRefusal { try fields(nested(33)) }
        == "column 162: a field name has 33 segments, expected at most 32")
    let long = String(repeating: "n", count: 254)
    #expect(try fields(#"{"\#(long)":{"a":1}}"#) == ["\(long).a=1"])
    #expect(
      jsonRefusal { try fields(#"{"\#(long)":{"ab":1}}"#) }
        == "column 260: a field name has 257 bytes, expected 1 to 256")
  }

  @Test func `a value above 1 MiB is refused`() throws {
    let most = String(repeating: "x", count: (1 << 20) - 2)
    #expect(try fields(#"{"a":"\#(most)"}"#).count == 1)
    #expect(
      jsonRefusal { try fields(#"{"a":"\#(most)x"}"#) }
        == #"column 2: the field "a" is refused: "#
        + "a value has 1048577 bytes of JSON, expected at most 1048576")
  }

  @Test func `a document gives its id and its fields`() throws {
    let (id, changes) = try DocumentReader.document(
      jsonBytes(#"{"body":"Milk","_id":"m\u00e9","a":{"_id":1}}"#))
    #expect(id == TaskID("mé"))
    #expect(changes.changes.map(\.name.text) == ["a._id", "body"])
    #expect(try DocumentReader.document(jsonBytes("{}")).id == nil)
    #expect(try DocumentReader.document(jsonBytes(#"{"_id":"a"}"#)).changes == .empty)
  }

  @Test(
    arguments: [
      (#"{"_id":1}"#, #"column 8: found a number, expected text for "_id""#),
      (#"{"_id":null}"#, #"column 8: found null, expected text for "_id""#),
      (#"{"_id":{}}"#, #"column 8: found an object, expected text for "_id""#),
      (#"{"_id":""}"#, "column 8: a task id has 0 bytes, expected 1 to 256"),
      (#"{"_id":"a\n"}"#, "column 8: a task id holds a control character"),
      (#"{"_id":"a","b":1,"_id":"a"}"#, #"column 18: "_id" is named twice"#),
      (#"{"_id.x":1}"#, #"column 2: the field "_id.x" cannot be set: a task keeps its id"#),
    ])
  func `an id that cannot be one is refused`(json: String, sentence: String) {
    #expect(jsonRefusal { try DocumentReader.document(jsonBytes(json)) } == sentence)
  }

  @Test func `a field is given a value, null or what lies below it`() throws {
    func changes(_ json: String) throws -> [FieldChange] {
      try DocumentReader.changes(of: FieldName("a"), to: jsonBytes(json)).changes
    }
    #expect(try changes("[1]") == [FieldChange(FieldName("a"), [1])])
    #expect(try changes("null") == [FieldChange(FieldName("a"), nil)])
    #expect(try changes(#"{"b":1}"#) == [FieldChange(FieldName("a.b"), 1)])
    #expect(try changes("{}") == [])
  }

  @Test(.timeLimit(.minutes(15))) func `a million fields are read in linear time`() throws {
    var json = Array("{".utf8)
    for index in 0..<1_000_000 {
      json.append(contentsOf: "\"f\(index)\":\(index % 2 == 0 ? "1" : "{}"),".utf8)
    }
    json[json.count - 1] = 0x7d
    #expect(try DocumentReader.changes(json[...]).changes.count == 500_000)
  }

  @Test func `a small text cannot stand for fields without bound`() {
    let refused = "names and elements of the fields take more than 16777216 bytes of JSON"
    let long = String(repeating: "n", count: 248)
    let names = (0..<70_000).map { "\"\($0)\":1" }.joined(separator: ",")
    #expect(
      jsonRefusal { try DocumentReader.changes(jsonBytes("{\"\(long)\":{\(names)}}")) }.hasSuffix(
        ": \(refused)"))
    let array = Array(repeating: "[0]", count: 250_000).joined(separator: ",")
    let arrays = (0..<40).map { "\"\($0)\":[\(array)]" }.joined(separator: ",")
    #expect(
      jsonRefusal { try DocumentReader.changes(jsonBytes("{\(arrays)}")) }.hasSuffix(
        ", field \"33\": \(refused)"))
  }
}
