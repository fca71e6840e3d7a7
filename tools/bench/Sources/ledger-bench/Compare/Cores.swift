import CAffinity

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Which cores a program may use. Children inherit it from this process.
///
/// Apple systems offer no pinning: there, every row uses what the program itself asks for.
enum Cores {
  case one
  case all

  func apply() {
    switch self {
    case .one: affinity_use_one_core()
    case .all: affinity_use_all_cores()
    }
  }

  /// The cores that this process was given, which may be fewer than the machine has.
  static var count: Int {
    let given = Int(affinity_core_count())
    return given > 0 ? given : sysconf(Int32(_SC_NPROCESSORS_ONLN))
  }
}
