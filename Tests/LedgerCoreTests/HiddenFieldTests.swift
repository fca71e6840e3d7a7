import LedgerCore
import Testing

/// Late history can set a field and a prefix of it: the later-stamped one is shown, the other hidden but held.
struct HiddenFieldTests {
  private func shown(_ told: Past) -> String {
    told.state.visibleFields.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
  }

  @Test func `a later-stamped extension hides its prefix`() throws {
    let told = past {
      $0.event(.upsert, at: 5, ["a.b": 1])
      $0.event(.update, at: 3, ["a": 2])
    }
    #expect(shown(told) == "a.b=1")
    #expect(told.state.held(try FieldName("a")) == 2)
  }

  @Test func `a later-stamped prefix hides its extensions`() {
    let told = past {
      $0.event(.upsert, at: 5, ["a": 1, "ab": 7])
      $0.event(.update, at: 3, ["a.b": 2, "a.c.d": 3])
    }
    #expect(shown(told) == "a=1 ab=7")
  }

  @Test func `a field that is hidden hides others`() {
    // a.b.c hides a.b, which is later than a and hides it, though a and a.b.c would exclude each other anyway.
    let told = past {
      $0.event(.upsert, at: 1, ["a": 1])
      $0.event(.update, at: 3, ["a.b.c": 3, "a.x": 4])
      $0.event(.update, at: 2, ["a.b": 2])
    }
    #expect(shown(told) == "a.b.c=3 a.x=4")
    // a is hidden by a.x, and hides a.b.
    let chain = past {
      $0.event(.upsert, at: 1, ["a.b": 1])
      $0.event(.update, at: 3, ["a.x": 3])
      $0.event(.update, at: 2, ["a": 2])
    }
    #expect(shown(chain) == "a.x=3")
  }

  @Test func `unsetting what hides shows the field again`() {
    let told = past {
      $0.event(.upsert, at: 5, ["a.b": 1])
      $0.event(.update, at: 3, ["a": 2])
      $0.event(.update, at: 6, ["a.b": nil])
    }
    #expect(shown(told) == "a=2")
  }

  @Test func `a field that is unset hides nothing`() {
    let told = past {
      $0.event(.upsert, at: 5, ["a": 1])
      $0.event(.update, at: 7, ["a.b": nil])
    }
    #expect(shown(told) == "a=1")
  }

  @Test func `hidden fields are among the held ones`() {
    let told = past {
      $0.event(.upsert, at: 5, ["a.b": 1, "c": 3])
      $0.event(.update, at: 3, ["a": 2])
      $0.event(.update, at: 6, ["c": nil])
    }
    #expect(told.state.heldFields.map(\.name.text) == ["a", "a.b"])
  }

  @Test func `a prefix in another Unicode form hides nothing`() {
    let told = past {
      $0.event(.upsert, at: 5, ["caf\u{e9}": 1])
      $0.event(.update, at: 3, ["cafe\u{301}.x": 2])
    }
    #expect(told.state.visibleFields.count == 2)
  }
}
