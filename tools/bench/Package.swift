// swift-tools-version: 6.0
import PackageDescription

let package = Package(
  name: "LedgerBench",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "ledger-bench", targets: ["ledger-bench"]),
    .executable(name: "sqlite-peer", targets: ["sqlite-peer"]),
    .executable(name: "ledger-jobs", targets: ["ledger-jobs"]),
  ],
  dependencies: [.package(name: "TaskLedger", path: "../..")],
  targets: [
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .target(name: "CAffinity"),
    .target(name: "BenchSupport"),
    .target(name: "Workload", dependencies: ["BenchSupport"]),
    .executableTarget(
      name: "ledger-bench", dependencies: ["Workload", "BenchSupport", "CAffinity"]),
    .executableTarget(name: "sqlite-peer", dependencies: ["BenchSupport", "CSQLite"]),
    .executableTarget(
      name: "ledger-jobs",
      dependencies: [
        "Workload", "BenchSupport", .product(name: "TaskLedger", package: "TaskLedger"),
      ]),
    .testTarget(name: "BenchSupportTests", dependencies: ["BenchSupport"]),
    .testTarget(name: "WorkloadTests", dependencies: ["Workload", "BenchSupport"]),
  ],
  swiftLanguageModes: [.v6]
)
