import LedgerCommands

Program.main()
