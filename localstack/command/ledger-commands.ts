/** The commands that talk to a running ledger. */
import type { Command } from 'commander';

export function addLedgerCommands(_program: Command): void {}
