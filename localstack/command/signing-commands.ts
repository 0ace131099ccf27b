/** The commands that sign for other programs: `countersign sign | token`. */
import type { Command } from 'commander';
import { withExamples } from './options.ts';

export function addSigning(program: Command, connecting: (command: Command) => Command): void {
  const sign = connecting(program.command('sign').argument('[data]', 'JSON, @file, or -'))
    .description('print a signed body, for curl and other programs; nothing is sent')
    .option('--update <path>', 'of an update: the record, whose hash is put into it')
    .option('--drop <path>', 'of a drop: the record')
    .option('--prove <path>', 'a proof alone: the record')
    .option('--status <status>', 'the status that it states')
    .option('--custom <json>', 'its further statements (JSON, @file, or -)');
  withExamples(
    sign,
    [
      `countersign sign '{"handle": "alice"}' | curl -s $SERVER/wallets -H 'content-type: application/json' -d @-`,
      `countersign sign '{"custom": {"city": "Bern"}}' --update wallets/alice`,
      'countersign sign --drop wallets/alice',
      'countersign sign --prove intents/rent-1 --status committed',
    ],
    'The record of an update, a drop or a proof is read from the ledger; nothing else is asked of it.',
  ).action(async (data, options) => (await import('./signing.ts')).sign(data, options));

  const token = connecting(program.command('token')).description(
    'print a token of your key, which is good for a minute',
  );
  withExamples(token, [
    `curl -s $SERVER/wallets -H "authorization: Bearer $(countersign token)"`,
  ]).action(async (options) => (await import('./signing.ts')).token(options));
}
