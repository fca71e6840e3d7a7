import Testing

@testable import Workload

@Suite struct `The workload` {
  private static let count = 20_000

  @Test func `holds only legal commands that change something, and leaves the printed state`()
    throws
  {
    var model = StateModel()
    let events = try printed(.events, events: Self.count)
    let commands = try printed(.commands(withTimes: true), events: Self.count)
    #expect(commands.count == Self.count && events.count == Self.count)
    for (command, event) in zip(commands, events) {
      let changed = try model.apply(try members(of: command))
      let payload = try members(of: try #require(members(of: event)["payload"]))
      #expect(payload == changed, "the event records something else: \(event)")
    }
    #expect(try printed(.state, events: Self.count) == model.lines)
  }

  @Test func `has the kinds in the shares that it promises`() throws {
    var model = StateModel()
    for command in try printed(.commands(withTimes: false), events: Self.count) {
      _ = try model.apply(try members(of: command))
    }
    let shares = [
      "\"upsert\"": 20, "rewrite": 3, "\"update\"": 34, "\"toggle\"": 30, "\"delete\"": 9,
      "\"evict\"": 4,
    ]
    for (kind, percent) in shares {
      let found = Double(model.kinds[kind, default: 0]) * 100 / Double(Self.count)
      #expect(abs(found - Double(percent)) < 1, "\(kind): \(found) %")
    }
    let rewrites = Double(model.kinds["rewrite", default: 0])
    #expect((0.19...0.31).contains(Double(model.restored) / rewrites))
  }

  @Test(arguments: [0, 1, 63, 64, 65, 500])
  func `begins the same for every length`(count: Int) throws {
    let long = try printed(.commands(withTimes: true), events: 1000)
    #expect(try printed(.commands(withTimes: true), events: count) == Array(long.prefix(count)))
  }

  @Test func `differs from seed to seed`() throws {
    #expect(try printed(.events, events: 10) != printed(.events, events: 10, seed: 2))
  }

  @Test func `keeps texts within 15 to 90 bytes`() {
    for seed in UInt64(0)..<20_000 {
      #expect(BodyText.sizes.contains(BodyText(seed: seed).bytes.count))
    }
  }

  @Test func `moves time on by at most two seconds`() throws {
    var former = Workload.firstTime
    for line in try printed(.events, events: 5000) {
      let time = try #require(try members(of: line)["ts"].flatMap { Int($0) })
      #expect((1...2000).contains(time - former))
      former = time
    }
  }

  @Test func `writes times as RFC 3339 and leaves them out when asked`() throws {
    let first = try members(of: printed(.commands(withTimes: true), events: 1)[0])
    let event = try members(of: printed(.events, events: 1)[0])
    let time = try #require(event["ts"].flatMap { Int($0) })
    let seconds = (time - Workload.firstTime) / 1000
    let milliseconds = String(time % 1000 + 1000).dropFirst()
    #expect(first["time"] == "\"2020-01-01T00:00:0\(seconds).\(milliseconds)Z\"")
    #expect(try members(of: printed(.commands(withTimes: false), events: 1)[0])["time"] == nil)
  }
}
