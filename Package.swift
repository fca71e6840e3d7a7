// swift-tools-version: 6.0
import PackageDescription

let package = Package(
  name: "TaskLedger",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "TaskLedger", targets: ["TaskLedger"]),
    .library(name: "TaskLedgerUI", targets: ["TaskLedgerUI"]),
    .library(name: "LedgerTestSupport", targets: ["LedgerTestSupport"]),
    .executable(name: "ledger", targets: ["ledger"]),
  ],
  targets: [
    .systemLibrary(
      name: "CZstd", pkgConfig: "libzstd",
      providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]),
    .systemLibrary(
      name: "CCrypto", pkgConfig: "libcrypto",
      providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
    .systemLibrary(name: "CStatx"),
    .systemLibrary(name: "CMalloc"),
    .systemLibrary(name: "CSched"),
    .target(
      name: "LedgerCore",
      dependencies: [.target(name: "CSched", condition: .when(platforms: [.linux]))]),
    .target(
      name: "LedgerFormat",
      dependencies: [
        "LedgerCore", "CZstd",
        .target(name: "CCrypto", condition: .when(platforms: [.linux])),
      ]),
    .target(
      name: "LedgerStorage",
      dependencies: [
        "LedgerFormat", "LedgerCore",
        .target(name: "CStatx", condition: .when(platforms: [.linux])),
      ]),
    .target(name: "TaskLedger", dependencies: ["LedgerStorage", "LedgerFormat", "LedgerCore"]),
    .target(name: "TaskLedgerUI", dependencies: ["TaskLedger"]),
    .target(
      name: "LedgerCommands",
      dependencies: [
        "TaskLedger", "LedgerStorage", "LedgerFormat",
        .target(name: "CMalloc", condition: .when(platforms: [.linux])),
      ]),
    .executableTarget(name: "ledger", dependencies: ["LedgerCommands"]),
    .executableTarget(
      name: "ledger-crash-child", dependencies: ["TaskLedger"], path: "tools/crash-child"),
    // Counts what an event costs in allocations; the counting malloc is in this program alone.
    .target(name: "CAllocations", path: "tools/allocations/CAllocations"),
    .executableTarget(
      name: "ledger-allocations", dependencies: ["TaskLedger", "CAllocations"],
      path: "tools/allocations/ledger-allocations"),
    .target(
      name: "LedgerTestSupport",
      dependencies: ["TaskLedger", "LedgerStorage", "LedgerFormat"]),
    // The second model, which knows nothing of the product, and what runs the product beside it on a simulated disk.
    .target(name: "LedgerPlainModel", path: "Tests/PlainModel"),
    .target(
      name: "LedgerSimulation",
      dependencies: ["LedgerPlainModel", "TaskLedger", "LedgerStorage", "LedgerFormat"],
      path: "tools/simulation", exclude: ["README.md", "planted", "ledger-simulate"],
      sources: ["Simulation"]),
    .executableTarget(
      name: "ledger-simulate", dependencies: ["LedgerSimulation"],
      path: "tools/simulation/ledger-simulate"),
    // What tools/fuzz throws made-up bytes at; the tests replay its corpus.
    .target(
      name: "LedgerFuzzing",
      dependencies: ["LedgerCommands", "TaskLedger", "LedgerStorage", "LedgerFormat"],
      path: "tools/fuzzing/Fuzzing"),
    .testTarget(name: "LedgerFuzzingTests", dependencies: ["LedgerFuzzing"]),
    .testTarget(name: "LedgerCoreTests", dependencies: ["LedgerCore", "LedgerTestSupport"]),
    .testTarget(name: "LedgerFormatTests", dependencies: ["LedgerFormat", "LedgerTestSupport"]),
    .testTarget(name: "LedgerStorageTests", dependencies: ["LedgerStorage", "LedgerTestSupport"]),
    .testTarget(
      name: "TaskLedgerTests",
      dependencies: [
        "TaskLedger", "LedgerTestSupport", "LedgerPlainModel", "LedgerSimulation",
        "ledger-crash-child", "ledger-allocations",
      ]),
    .testTarget(name: "TaskLedgerUITests", dependencies: ["TaskLedgerUI", "LedgerTestSupport"]),
    .testTarget(
      name: "LedgerCommandsTests", dependencies: ["LedgerCommands", "LedgerTestSupport"]),
  ],
  swiftLanguageModes: [.v6]
)
