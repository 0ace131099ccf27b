/** The commands of the first steps: a key, a first transfer, and the signals as they happen. */
import type { Command } from 'commander';
import { misused } from '../runtime/failing.ts';
import { jsonOption, parseLedger, serverOption, withExamples } from './options.ts';

export function addFirstCommands(program: Command): void {
  addKey(program);
  addQuickstart(program);
  addWatch(program);
}

function addKey(program: Command): void {
  const command = program
    .command('key')
    .description('print the public key of a key file, which is made if it is missing')
    .argument('[file]', 'the key file; without it, your own in your configuration folder')
    .action(async (path: string | undefined) => {
      const { runKey } = await import('../cli/key.ts');
      runKey(path);
    });
  withExamples(
    command,
    ['countersign key', 'countersign key owner.key'],
    'A private key is never printed. Only the owner of its file may read it.',
  );
}

interface AccessOptions {
  readonly ledger?: string;
  readonly key?: string;
}

const ownKey =
  'the key file (your own; where there is none, a new key, which an open ledger takes)';
const ledger = ['--ledger <handle>', 'the ledger (the default ledger of the server)'] as const;

function addQuickstart(program: Command): void {
  const command = program
    .command('quickstart')
    .description('make a first transfer on a running ledger')
    .argument('[file]', ownKey)
    .addOption(serverOption())
    .option(...ledger, parseLedger)
    .option('--key <file>', ownKey)
    .action(async (file: string | undefined, { key, ledger }: AccessOptions) => {
      if (file !== undefined && key !== undefined)
        throw misused('Name one key file: as an argument, or by --key.');
      const { runQuickstart } = await import('../cli/quickstart.ts');
      await runQuickstart({ ledger, keyPath: file ?? key });
    });
  withExamples(command, [
    'countersign quickstart',
    'countersign quickstart owner.key --server http://127.0.0.1:4000/v2',
  ]);
}

function addWatch(program: Command): void {
  const command = program
    .command('watch')
    .alias('listen')
    .description('subscribe to signals, verify each event as it arrives, and print it')
    .argument('[signals...]', 'the signals (those of wallets, symbols, intents and balances)')
    .addOption(serverOption())
    .option(...ledger, parseLedger)
    .option('--key <file>', ownKey)
    .addOption(jsonOption())
    .action(async (signals: string[], { key, ledger, json }: AccessOptions & { json?: true }) => {
      const { runWatch, usualSignals } = await import('../cli/watch.ts');
      const wanted = signals.length > 0 ? signals : usualSignals;
      await runWatch(wanted, { ledger, keyPath: key }, json ?? false);
    });
  withExamples(command, [
    'countersign watch',
    'countersign watch intent-updated --json --key owner.key',
  ]);
}
