/** The command `reconcile`. */
import type { Command } from 'commander';
import type { ReconcileOptions } from '../cli/reconcile-request.ts';
import { jsonOption, parseLedger, repeatable, serverOption, withExamples } from './options.ts';

export function addReconcile(program: Command): void {
  reconcileCommand(program).action(
    async (external: string, options: ReconcileOptions & { readonly json?: true }) => {
      const { reconcileRequestOf } = await import('../cli/reconcile-request.ts');
      const { runReconcile } = await import('../cli/reconcile.ts');
      const { answering } = await import('../cli/answering.ts');
      await answering(async () =>
        runReconcile(reconcileRequestOf(external, options), options.json ?? false),
      );
    },
  );
}

/** Declares `reconcile`, without what it does. */
export function reconcileCommand(program: Command): Command {
  const command = program
    .command('reconcile')
    .description('compare an external CSV with the ledger, row by row')
    .argument('<external>', 'the CSV of a bank or a provider');
  addSides(command);
  addColumns(command);
  addValues(command);
  command
    .optionsGroup('The result:')
    .option('--csv <file>', 'write every row with its group, as CSV')
    .option('--all', 'print the rows that match, too')
    .addOption(jsonOption());
  return withExamples(
    command,
    [
      'countersign reconcile bank.csv --with report.csv --key reference=intent --amount amount --factor 100',
      'countersign reconcile bank.csv --wallet shop --symbol usd --key reference --amount amount --date booked',
    ],
    'In <column=column> the first is a column of the external file, the second one of the ledger.',
    'Exit codes: 0 all rows match, 1 they do not, 2 and above it cannot tell.',
  );
}

function addSides(command: Command): void {
  command
    .optionsGroup('The sides:')
    .option(
      '--with <file>',
      'a statement or report of the ledger, CSV or JSON, as the ledger gives it',
    )
    .option('--wallet <handle>', 'in place of --with, the entries of a wallet of a running ledger')
    .option('--symbol <handle>', 'the symbol of these entries')
    .addOption(serverOption())
    .option('--ledger <handle>', 'that ledger (the default ledger of the server)', parseLedger)
    .option('--reader <file>', 'the key that signs the requests to a closed ledger')
    .option(
      '--delimiter <sign>',
      'between the columns of the external file (,); tab for a tabulator',
    )
    .option('--encoding <name>', 'of the external file: utf8 (the default) or latin1')
    .option('--skip <number>', 'lines of the external file before the names of its columns (0)')
    .addOption(repeatable('--where <column=value>', 'compare only these rows of the external file'))
    .addOption(
      repeatable('--ledger-where <column=value>', 'compare only these rows of the ledger'),
    );
}

function addColumns(command: Command): void {
  command
    .optionsGroup('The columns:')
    .addOption(
      repeatable(
        '--key <column=column>',
        'equal in rows of the same money; =intent without a second column',
      ),
    )
    .option('--amount <column=column>', 'the amounts; =amount without a second column')
    .option('--debit <column>', 'in place of --amount, the debits of the external file')
    .option('--credit <column>', 'in place of --amount, the credits of the external file')
    .option(
      '--date <column=column>',
      'compare dates as days in UTC; =moment or =completed without a second column',
    );
}

function addValues(command: Command): void {
  command
    .optionsGroup('The amounts and dates:')
    .option(
      '--factor <number>',
      'the external amounts are in whole units of so many smallest units, as 100; without it they are in the smallest unit, as those of the ledger always are',
    )
    .option('--decimal-comma', 'external amounts are written 1.234,56')
    .option('--negate', 'turn the signs of the external amounts')
    .option('--unsigned', 'compare amounts without their signs')
    .option('--date-order <order>', 'of the external dates: ymd (the default), dmy or mdy')
    .option(
      '--tolerance <amount>',
      'amounts match when they differ by at most this much, as 0.05 with a factor of 100 (0)',
    )
    .option('--days <number>', 'dates match when they are at most so many days apart (0)')
    .option(
      '--from <date>',
      'the first day of the period, as 2026-11-01: a row outside of it can match one within, and is not missed',
    )
    .option('--to <date>', 'the last day of the period');
}
