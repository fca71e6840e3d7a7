import Foundation
import Testing

@testable import LedgerCommands

/// Files that claim to be far longer than the memory of the machine: sparse ones, which cost their maker nothing.
@Suite(.enabled(if: Executable.path != nil, "the program is not beside the tests"))
struct `A file of many gigabytes` {
  private let shell: Shell
  /// A gigabyte of address space, of which the program and its libraries take a part.
  private static let limited = "ulimit -v 1048576; "

  init() throws {
    shell = try Shell()
    let made = try shell("ledger init && ledger add Milk --id milk && ledger add Bread")
    #expect(made.exit == 0, "\(made.errors)")
  }

  #if os(Linux)
    @Test func `in the place of the active one is read without its zeros`() throws {
      let result = try shell(
        Self.limited + "truncate -s 10G .ledger/segments/*.active; ledger get milk")
      #expect(result.exit == 0, "\(result.errors)")
      let added = try shell(
        Self.limited + "ledger add Eggs && ledger list | wc -l && ledger verify")
      #expect(added.exit == 0, "\(added.errors)")
      #expect(added.output.contains("\n3\n"), "\(added.output)")
    }

    @Test func `with a few bytes at its far end has a torn tail, which is moved aside`() throws {
      let result = try shell(
        Self.limited
          + "for f in .ledger/segments/*.active; do printf x | dd of=$f bs=1 seek=$((1200 << 20)) conv=notrunc; done 2>&1; "
          + "ledger add Eggs && ledger list | wc -l && ledger verify")
      #expect(result.exit == 0, "\(result.errors)")
      #expect(result.output.contains("\n3\n"), "\(result.output)")
      #expect(result.errors.contains("moved a torn tail of "), "\(result.errors)")
      // What was moved aside has its length, and hardly a block on the disk.
      let sizes = try shell(
        "stat -c %s .ledger/aside/* && du -k .ledger/aside/* | cut -f 1")
      let numbers = sizes.output.split(separator: "\n").compactMap { Int($0) }
      #expect(numbers.count == 2 && numbers[0] > 1 << 30 && numbers[1] < 10_000, "\(sizes.output)")
    }

    @Test(arguments: ["CURRENT", "MANIFEST-00000001"])
    func `in the place of a small one is damage, and said to be so`(name: String) throws {
      let before = Self.limited + "truncate -s 10G .ledger/\(name); "
      for command in ["list", "add Eggs", "verify"] {
        let result = try shell(before + "ledger \(command)")
        #expect(result.exit == 65, "\(command): \(result.exit) \(result.errors)")
        let text = result.errors + result.output
        #expect(text.contains("the file has 10737418240 bytes, expected at most "), "\(text)")
      }
    }

    @Test func `where CURRENT is lost is looked through`() throws {
      let result = try shell(
        Self.limited
          + "rm .ledger/CURRENT; truncate -s 10G .ledger/segments/*.active; ledger list")
      #expect(result.exit == 65, "\(result.errors)")
      #expect(result.errors.contains("CURRENT is missing"))
    }
  #endif
}
