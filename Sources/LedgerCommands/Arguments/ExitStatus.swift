import LedgerCore
import LedgerStorage

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// How a command ended: the exit codes of the program, in part those of sysexits(3).
package enum ExitStatus: Int32, Sendable {
  /// Done, also when there was nothing to change.
  case done = 0
  /// The answer is no.
  case no = 1
  /// The command line, or a value in it, is wrong.
  case usage = 64
  /// Data is damaged, or cannot be used.
  case damaged = 65
  /// There is no such ledger or input file.
  case notFound = 66
  /// It cannot be made, or is there already.
  case cannotCreate = 73
  /// Input or output failed.
  case io = 74
  /// Somebody else is busy with it.
  case busy = 75

  /// The status of a command that ends with an error.
  package init(_ error: LedgerError) {
    self =
      switch error.code {
      case .noSuchTask, .conflict, .nothingToUndo: .no
      case .usage, .invalid, .ambiguous, .beyondEnd: .usage
      case .badLine, .damaged, .unsupported: .damaged
      case .notFound: .notFound
      case .alreadyExists: .cannotCreate
      case .io, .poisoned: .io
      case .busy: .busy
      }
  }
}

/// An error of a command whose status does not follow from the error alone.
struct CommandFailure: Error {
  var error: LedgerError
  var status: ExitStatus

  init(_ error: LedgerError, _ status: ExitStatus) {
    self.error = error
    self.status = status
  }

  /// Makes something: a missing folder above it, or a lack of rights, is then no fault of input or output.
  static func creating<R>(_ body: () throws(LedgerError) -> R) throws -> R {
    do throws(LedgerError) {
      return try body()
    } catch {
      var error = error
      switch error.systemError {
      case ENOENT: error.hint = error.hint ?? "make the folder that it is to stand in first"
      case ENOTDIR: error.hint = error.hint ?? "a file stands in the way; name another folder"
      case EACCES, EPERM, EROFS, ELOOP, ENAMETOOLONG: break
      default: throw error
      }
      throw CommandFailure(error, .cannotCreate)
    }
  }
}
