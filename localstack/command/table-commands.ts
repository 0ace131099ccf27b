/** The commands that read or write the table of a ledger, whether it runs or not. */
import type { Command } from 'commander';

export function addTableCommands(_program: Command): void {}
