/** The import of an exported ledger into a table, from the command line. */
import { rmSync, statSync } from 'node:fs';
import { auditArchive } from '../../shared/archive/audit.ts';
import { ArchiveError, type ArchiveHeader } from '../../shared/archive/form.ts';
import { load } from '../../shared/archive/load.ts';
import { type OpenOptions, openArchive } from '../../shared/archive/open.ts';
import { headerOf, readArchive } from '../../shared/archive/read.ts';
import { assertOpens, resealed } from '../../shared/archive/reseal.ts';
import { newReport } from '../../shared/audit/run.ts';
import { passphraseKeyring } from '../../shared/keyring/passphrase.ts';
import { printable } from '../../shared/ledger/printable.ts';
import type { Keyring } from '../../shared/port/ports.ts';
import { identities } from '../../shared/record/identity.ts';
import { tableClient } from '../../shared/store/client.ts';
import { dynamoStore } from '../../shared/store/store.ts';
import { misused } from '../runtime/failing.ts';
import { namedTemporary } from '../runtime/folder.ts';
import { makeTable } from '../runtime/table.ts';
import { variable } from '../runtime/variables.ts';
import { isReadable } from './given-file.ts';
import { isWithoutKey, keyringOf, passphraseIn } from './keyrings.ts';
import { print, printJson, secondsText } from './output.ts';
import { assertKept, type DatabasePlace, explained, placeToFill } from './place.ts';
import { type Bar, newBar } from './progress.ts';
import { wideTable } from './wide-table.ts';
import { newWorkFolder } from './work-folder.ts';

export interface ImportRequest {
  readonly path: string;
  readonly passphrasePath?: string | undefined;
  readonly isResumed: boolean;
  readonly isUnaudited: boolean;
  readonly isJson: boolean;
}

/**
 * `countersign import`: writes an exported ledger to the table of a data folder, which it makes when there is none, or to
 * that of `DYNAMODB_ENDPOINT`. The table must not have that ledger yet, and the file must be in order.
 */
export async function runImport(request: ImportRequest): Promise<void> {
  if (!isReadable(request.path)) throw misused(`There is no file ${request.path}.`);
  const folder = variable('LEDGER_DATA');
  assertKept(folder);
  const bar = newBar();
  const startMs = Date.now();
  try {
    // All faults of the archive are found before anything is written.
    const sealing = await checked(request, folder, bar).catch((error: unknown) => {
      if (!(error instanceof ArchiveError)) throw error;
      throw new Error(`${request.path}: ${error.message}`, { cause: error });
    });
    if (!request.isUnaudited) await assertInOrder(request.path, bar);
    const place = await placeToFill(folder);
    const loaded = await filled(request, place, { folder, sealing, bar });
    bar.end();
    const { ledger, items, same } = loaded;
    const ms = Date.now() - startMs;
    if (request.isJson) return printJson({ ledger, items, same, seconds: ms / 1000 });
    print(
      `${printable(ledger)}: ${items} items, ${same} of them there already, ${secondsText(ms)}.`,
    );
    print('`countersign audit` checks the ledger as it is now.');
  } catch (error) {
    // The table has a line of its own where it has no room.
    throw namedTemporary(error);
  } finally {
    bar.end();
  }
}

/** Reads the archive to its end; returns the keyring of its passphrase, when it has one. */
async function checked(
  request: ImportRequest,
  folder: string,
  bar: Bar,
): Promise<Keyring | undefined> {
  const header = await headerOf(request.path);
  // A new folder gets its keyring with its table.
  const own = isWithoutKey(folder) ? undefined : keyringOf(folder);
  const sealing = await sealingOf(request, header);
  const opens = sealing ?? own;
  if (!opens)
    throw misused(
      `The private keys of the archive need the keyring of their server: copy its master.key into ${folder}, or export with --with-key.`,
    );
  const size = statSync(request.path).size;
  let bytes = 0;
  for await (const one of readArchive(request.path)) {
    bytes += one.bytes;
    if (one.number % 1000 === 0) bar.show('checking the file', bytes, size);
    await assertOpens(header.ledger, one.line, opens).catch((error: unknown) => {
      const whose = sealing ? 'The passphrase' : 'The keyring of this server';
      throw new Error(`${whose} does not open the private keys of the archive.`, { cause: error });
    });
  }
  return sealing;
}

/** Refuses an archive that `countersign audit <file>` finds not in order: its writer could have changed any line. */
async function assertInOrder(path: string, bar: Bar): Promise<void> {
  const size = statSync(path).size;
  const onRead = (bytes: number) => bar.show('auditing the file', bytes, size);
  const folder = newWorkFolder('import');
  const options = { folder, nowMs: Date.now, onRead };
  for await (const line of auditArchive(path, options, newReport()))
    throw new Error(
      `The ledger in ${path} is not in order, and nothing was imported: ${line} (\`countersign audit ${path} --all\` shows all of it, --unaudited imports it as it is).`,
    );
  // The import needs as much disk space again.
  rmSync(folder, { recursive: true });
}

async function sealingOf(
  { passphrasePath }: ImportRequest,
  { secrets }: ArchiveHeader,
): Promise<Keyring | undefined> {
  if (secrets.by === 'keyring') return undefined;
  if (passphrasePath === undefined)
    throw misused('The archive was exported with a passphrase: name its file with --passphrase.');
  return passphraseKeyring(passphraseIn(passphrasePath), Buffer.from(secrets.salt, 'base64'));
}

interface Filling {
  readonly folder: string;
  readonly sealing: Keyring | undefined;
  readonly bar: Bar;
}

async function filled(
  request: ImportRequest,
  place: DatabasePlace,
  { folder, sealing, bar }: Filling,
) {
  const tableName = variable('TABLE_NAME');
  const client = tableClient({ endpoint: place.endpoint });
  let isBegun = false;
  try {
    if (!process.env['DYNAMODB_ENDPOINT'] && !place.isLive)
      await makeTable(place.endpoint, tableName);
    const size = statSync(request.path).size;
    const own = keyringOf(folder);
    const options: OpenOptions = {
      folder: newWorkFolder('import'),
      onProgress: (bytes) => bar.show('reading the file', bytes, size),
      ...(sealing && { change: ({ ledger }, line) => resealed(ledger, line, sealing, own) }),
    };
    const { header, sorted, sha256, fault: problem } = await openArchive(request.path, options);
    if (problem) throw problem;
    const table = wideTable(client, tableName, place.endpoint);
    const { ledger } = header;
    const { isResumed } = request;
    const onProgress = (done: number) => bar.show('writing', done, sorted.count);
    const onBegin = () => {
      isBegun = true;
    };
    const loaded = await load({
      table,
      ledger,
      sorted,
      sha256,
      isResumed,
      onBegin,
      onProgress,
      nowMs: Date.now,
    });
    await sorted.close();
    await assertSigns(ledger, identities(dynamoStore({ client, tableName }), own));
    return { ...loaded, ledger };
  } catch (error) {
    throw explained(error, tableName, place.endpoint);
  } finally {
    client.destroy();
    // An import of which nothing is written is refused, and leaves no empty database.
    await (isBegun ? place.close() : place.abandon());
  }
}

/** Asserts that the server can sign for the ledger: its keyring opens the key in the table. */
async function assertSigns(
  ledger: string,
  identityOf: ReturnType<typeof identities>,
): Promise<void> {
  const found = await identityOf(ledger).catch((error: unknown) => {
    throw new Error(
      `The keyring of this server does not open the key of '${ledger}' in the table, so the server cannot sign: resume with the keyring that the import began with.`,
      { cause: error },
    );
  });
  if (!found)
    throw new Error(`The archive has no key of '${ledger}', so the server cannot sign for it.`);
}
