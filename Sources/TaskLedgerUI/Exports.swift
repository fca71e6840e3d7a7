// A screen shows tasks, and an app opens the ledger that they are in.
@_exported import TaskLedger
