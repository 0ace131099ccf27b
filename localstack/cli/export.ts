/**
 * `npm run export [-- --ledger <handle>] [--out <file>]`: writes a ledger with all its history to a file. It reads the
 * table of a data folder, whether its ledger runs or not, or that of `DYNAMODB_ENDPOINT`.
 */
import { existsSync } from 'node:fs';
import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { type SaveOptions, save } from '../../shared/archive/save.ts';
import { newSalt, passphraseKeyring } from '../../shared/keyring/passphrase.ts';
import { tableClient } from '../../shared/store/client.ts';
import { exitWith } from '../runtime/failing.ts';
import { assertVariables, variable } from '../runtime/variables.ts';
import { argumentsOf } from './arguments.ts';
import { keyringOf, passphraseIn } from './keyrings.ts';
import { explained, placeOf } from './place.ts';
import { newBar } from './progress.ts';
import '../runtime/quiet.ts';

const usage = 'Usage: npm run export [-- options]; --help lists them.';
const help = `Usage: npm run export [-- options]

  --ledger <handle>     which ledger; LEDGER_HANDLE without it, or main
  --out <file>          the file, which must not be there yet; <ledger>.ndjson without it
  --with-key <file>     encrypts the private keys under the passphrase in a file (- reads standard input), so that a server
                        with another keyring can import them; without it they stay as they are
  --resume              continues an export that was interrupted`;

interface ExportRequest {
  readonly ledger: string;
  readonly path: string;
  readonly passphrasePath?: string;
  readonly isResumed: boolean;
}

async function main(): Promise<void> {
  assertVariables('LEDGER_HANDLE', 'LEDGER_DATA', 'TABLE_NAME', 'DYNAMODB_ENDPOINT');
  const request = requestOf(process.argv.slice(2));
  const folder = variable('LEDGER_DATA');
  const rewrap =
    request.passphrasePath === undefined
      ? undefined
      : await rewrapping(folder, request.passphrasePath);
  const tableName = variable('TABLE_NAME');
  const place = await placeOf(folder);
  const client = tableClient({ endpoint: place.endpoint });
  const bar = newBar();
  const startMs = Date.now();
  try {
    const described = await client.send(new DescribeTableCommand({ TableName: tableName }));
    const itemCount = described.Table?.ItemCount ?? 0;
    const end = await save({
      place: { client, tableName },
      ...{ ledger: request.ledger, path: request.path, isResumed: request.isResumed },
      isAtRest: !place.isLive,
      nowMs: Date.now,
      onProgress: ({ doing, done, of = itemCount }) => bar.show(doing, done, of),
      ...(rewrap && { rewrap }),
    });
    bar.end();
    const seconds = ((Date.now() - startMs) / 1000).toFixed(1);
    const counts = Object.entries(end.counts).map(([what, count]) => `${count} ${what}`);
    console.log(
      `${request.path}: ${end.lines + 1} lines (${counts.join(', ')}), sha256 ${end.sha256}, ${seconds} s.`,
    );
  } catch (error) {
    throw explained(error, tableName, place.endpoint);
  } finally {
    bar.end();
    client.destroy();
    await place.close();
  }
}

async function rewrapping(
  folder: string,
  passphrasePath: string,
): Promise<NonNullable<SaveOptions['rewrap']>> {
  const from = keyringOf(folder);
  const salt = newSalt();
  const to = await passphraseKeyring(passphraseIn(passphrasePath), salt);
  return { from, to, sealing: { by: 'passphrase', salt: Buffer.from(salt).toString('base64') } };
}

function requestOf(args: readonly string[]): ExportRequest {
  const one = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  const options = { ledger: one, out: one, 'with-key': one, resume: flag, help: flag };
  const { values } = argumentsOf(args, { options }, usage);
  if (values.help) throw new Error(help);
  const ledger = values.ledger ?? variable('LEDGER_HANDLE');
  const path = values.out ?? `${ledger}.ndjson`;
  const passphrasePath = values['with-key'];
  if (existsSync(path)) throw new Error(`${path} is there already: name another file with --out.`);
  return {
    ...{ ledger, path, isResumed: values.resume },
    ...(passphrasePath !== undefined && { passphrasePath }),
  };
}

main().then(() => process.exit(0), exitWith(1));
