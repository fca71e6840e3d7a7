import BenchSupport
import Testing

@Suite struct `Arguments of the benchmark programs` {
  @Test func `are options, flags and words in any order`() throws {
    let words = ["file", "-n", "5", "--state", "-"]
    let arguments = try Arguments(words, options: ["-n"], flags: ["--state"])
    #expect(arguments.positional == ["file", "-"])
    #expect(try arguments.number("-n", default: 1) == 5)
    #expect(try arguments.number("-s", default: 7) == 7)
    #expect(arguments.has("--state"))
  }

  @Test func `are refused by name when unknown, incomplete or out of range`() throws {
    #expect(throws: BenchError.self) { try Arguments(["--what"], options: []) }
    #expect(throws: BenchError.self) { try Arguments(["-n"], options: ["-n"]) }
    let zero = try Arguments(["-n", "0"], options: ["-n"])
    #expect(throws: BenchError.self) { try zero.number("-n", default: 1) }
  }
}
