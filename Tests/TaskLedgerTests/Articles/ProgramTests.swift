#if os(Linux)
  import Testing

  /// What a newcomer pastes into a package of his own.
  @Suite(.enabled(if: ArticleProgram.canBeBuilt))
  struct `A program of the documentation` {
    @Test func `in the README stands as a fresh main.swift, and runs again and again`() throws {
      let program = try ArticleProgram(ArticleProgram.examples(of: "README.md")[0])
      for time in 1...2 {
        let lines = try program.run()
        let list = Array(repeating: #""Sweep""#, count: time).joined(separator: ", ")
        #expect(lines.first == "[\(list)] \(Array(0..<time))")
        #expect(lines.contains { $0.contains(#"body: "Get milk" → "Get oat milk", priority: 2"#) })
        #expect(lines.last?.contains("Get oat milk") == true)
      }
    }

    @Test func `in the first steps shows a list that updates itself and an edit form`()
      throws
    {
      let page = "Sources/TaskLedger/TaskLedger.docc/GettingStarted.md"
      let pieces = try ArticleProgram.examples(of: page)
      #expect(pieces.first?.hasPrefix("// swift-tools-version") == true)
      let program = try ArticleProgram(pieces.dropFirst().joined(separator: "\n"))
      let lines = try program.run()
      #expect(lines.prefix(2) == ["open: Get bread", "open: Get eggs"])
      let lists = lines.filter { $0.hasPrefix("list:") }
      #expect(lists.last == #"list: ["Get bread", "Get eggs", "✓ Get soy milk"]"#)
      #expect(lines.contains("sheet: saved "))
      #expect(lines.contains("at first: Get milk"))
      #expect(!lines.contains { $0.hasPrefix("meanwhile") })
      #expect(try program.run().contains("at first: Get milk"))
    }

    @Test func `on the first page of each library stands as it is`() throws {
      let index = "Sources/TaskLedger/TaskLedger.docc/TaskLedger.md"
      let lines = try ArticleProgram(ArticleProgram.examples(of: index)[0]).run()
      #expect(lines.first == "Get oat milk")
      let screens = "Sources/TaskLedgerUI/TaskLedgerUI.docc/TaskLedgerUI.md"
      try ArticleProgram(
        #"let path = "tasks.ledger""# + "\n" + ArticleProgram.examples(of: screens)[0]
      ).run()
    }

    @Test func `comes with the same package`() throws {
      let one = try ArticleProgram.examples(of: "README.md")[1]
      let page = "Sources/TaskLedger/TaskLedger.docc/GettingStarted.md"
      let other = try ArticleProgram.examples(of: page)[0]
      #expect(other.replacing("errands", with: "app") == one)
    }
  }
#endif
