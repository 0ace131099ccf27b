/** The export of a ledger to a file, from the command line. */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { type SaveOptions, save } from '../../shared/archive/save.ts';
import { newSalt, passphraseKeyring } from '../../shared/keyring/passphrase.ts';
import { tableClient } from '../../shared/store/client.ts';
import { misused } from '../runtime/failing.ts';
import { lock } from '../runtime/lock.ts';
import { assertVariables, variable } from '../runtime/variables.ts';
import { unwritable } from './given-file.ts';
import { keyringOf, passphraseIn } from './keyrings.ts';
import { print, printJson, secondsText } from './output.ts';
import { explained, placeOf } from './place.ts';
import { newBar } from './progress.ts';

export interface ExportRequest {
  /** The file, which must not be there; named after the ledger without it. */
  readonly out?: string | undefined;
  readonly passphrasePath?: string | undefined;
  readonly isResumed: boolean;
  readonly isJson: boolean;
}

/**
 * `countersign export`: writes the ledger of `LEDGER_HANDLE` with all its history to a file. It reads the table of a data
 * folder, whether its ledger runs or not, or that of `DYNAMODB_ENDPOINT`.
 */
export async function runExport(request: ExportRequest): Promise<void> {
  assertVariables('LEDGER_HANDLE', 'LEDGER_DATA', 'TABLE_NAME', 'DYNAMODB_ENDPOINT');
  const ledger = variable('LEDGER_HANDLE');
  const path = request.out ?? `${ledger}.ndjson`;
  if (path === '-') throw misused('An export is a file: it can be resumed. Name one with --out.');
  assertFree(path);
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
      ...{ ledger, path, isResumed: request.isResumed },
      isAtRest: !place.isLive,
      lock: (file) => lock(file, `Another process exports to ${path}.`),
      nowMs: Date.now,
      onProgress: ({ doing, done, of = itemCount }) => bar.show(doing, done, of),
      ...(rewrap && { rewrap }),
    });
    bar.end();
    const { counts, sha256 } = end;
    const [lines, ms] = [end.lines + 1, Date.now() - startMs];
    if (request.isJson)
      return printJson({ ledger, file: path, lines, counts, sha256, seconds: ms / 1000 });
    const parts = Object.entries(counts).map(([what, count]) => `${count} ${what}`);
    print(`${path}: ${lines} lines (${parts.join(', ')}), sha256 ${sha256}, ${secondsText(ms)}.`);
  } catch (error) {
    throw unwritable(error, path) ?? explained(error, tableName, place.endpoint);
  } finally {
    bar.end();
    client.destroy();
    await place.close();
  }
}

function assertFree(path: string): void {
  if (existsSync(path)) throw misused(`${path} is there already: name another file with --out.`);
  const folder = dirname(path);
  if (!existsSync(folder)) throw misused(`There is no folder ${folder} for ${path}.`);
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
