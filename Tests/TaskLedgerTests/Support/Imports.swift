// The plain model and its translation are used by most tests of what a ledger means.
@_exported import LedgerPlainModel
@_exported import LedgerSimulation
