import LedgerSimulation

SimulateCommand.main(CommandLine.arguments.dropFirst())
