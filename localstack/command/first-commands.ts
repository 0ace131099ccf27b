/** The commands of the first steps: a key, a first transfer, and the signals as they happen. */
import type { Command } from 'commander';
import { misused } from '../runtime/failing.ts';
import type { ConnectionOptions } from './connection.ts';
import { connecting } from './ledger-commands.ts';
import { withExamples } from './options.ts';

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

function addQuickstart(program: Command): void {
  const command = connecting(
    program
      .command('quickstart')
      .description('make a first transfer on a running ledger')
      .argument('[file]', 'the key file that signs, as --key; without it, your own'),
  );
  withExamples(command, [
    'countersign quickstart',
    'countersign quickstart owner.key --server http://127.0.0.1:4000/v2',
  ]).action(async (file: string | undefined, options: ConnectionOptions) => {
    if (file !== undefined && options.key !== undefined)
      throw misused('Name one key file: as an argument, or by --key.');
    const { runQuickstart } = await import('../cli/quickstart.ts');
    await runQuickstart({ ...options, ...(file !== undefined && { key: file }) });
  });
}

function addWatch(program: Command): void {
  const command = connecting(
    program
      .command('watch')
      .alias('listen')
      .description('subscribe to signals, verify each event as it arrives, and print it')
      .argument('[signals...]', 'the signals (those of wallets, symbols, intents and balances)'),
  );
  withExamples(command, [
    'countersign watch',
    'countersign watch intent-updated --json --key owner.key',
  ]).action(async (signals: string[], options: ConnectionOptions) => {
    const { runWatch, usualSignals } = await import('../cli/watch.ts');
    await runWatch(signals.length > 0 ? signals : usualSignals, options);
  });
}
