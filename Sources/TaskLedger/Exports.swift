// Whoever imports TaskLedger works with its values, which live in LedgerCore.
@_exported import LedgerCore
