// Random tests take their numbers from one generator.
@_exported import LedgerTestSupport
