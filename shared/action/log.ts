/**
 * The log of the addressed ledger, as C2SP tlog-tiles has it, and proofs for those who would rather not compute them.
 * Ruling 97.
 */
import { toRead } from '../access/required-permission.ts';
import { LedgerError } from '../ledger/errors.ts';
import type { Query } from '../ledger/query.ts';
import { toBase64 } from '../log/bytes.ts';
import { bundleOf, entryOf } from '../log/leaf.ts';
import { consistencyRanges } from '../log/path.ts';
import { type Tile, tileOfPath, widthIn } from '../log/tile.ts';
import type { Action, Answer, Call } from '../port/action.ts';
import type { StoredCheckpoint } from '../port/logs.ts';
import { refusedParameter } from '../query/moment.ts';
import { byLedger } from '../record/find.ts';
import { hashesIn, includedIn, newestCheckpoint, servedCheckpoint } from '../record/inclusion.ts';
import { signed } from '../record/sign.ts';

const requires = toRead('ledger', byLedger);

/** Full tiles never change, and neither do partial ones of a width. */
const cached = {
  'cache-control': 'private, max-age=31536000, immutable',
  vary: 'authorization, x-ledger',
};

/**
 * Answers the newest checkpoint: a signed note, with the cosignatures that it has. With `cosigned=true`, answers the
 * newest one that has any. Errors: `auth.unauthorized`, `auth.forbidden` (the ledger may not be read);
 * `api.query-malformed` (`cosigned` is neither `true` nor `false`); `record.not-found` (the log has no checkpoint yet, or
 * none with a cosignature). Ruling 100.
 */
export const logCheckpoint: Action = {
  requires,
  query: { names: ['cosigned'] },
  run: async (call) => {
    await requires.allow(call);
    const { services, ledger, query } = call;
    const mustBeCosigned = flagIn(query, 'cosigned');
    const { note } = await servedCheckpoint(services.logs, ledger.handle, mustBeCosigned);
    return { status: 200, document: { type: 'text/plain; charset=utf-8', text: note } };
  },
};

/**
 * Answers a tile, or a bundle of entries, of the tree of the newest checkpoint. Errors: `auth.unauthorized`,
 * `auth.forbidden` (the ledger may not be read); `record.not-found` (no such tile, or not as wide).
 */
export const logTile: Action = {
  requires,
  run: async (call) => {
    await requires.allow(call);
    const { logs } = call.services;
    const { handle } = call.ledger;
    const tile = tileOfPath(pathIn(call));
    if (!tile) throw noTile();
    const { size } = await newestCheckpoint(logs, handle);
    if (tile.width > widthIn(size, tile)) throw noTile();
    return bytesAnswer(
      tile.isEntries
        ? bundleOf((await logs.leaves(handle, tile.number, tile.width)).map(entryOf))
        : await tileBytes(call, tile),
    );
  },
};

/**
 * Proves that a change is in the tree of the newest checkpoint, or of the newest one with cosignatures. Errors:
 * `auth.unauthorized`, `auth.forbidden` (the ledger may not be read); `api.query-malformed` (the luid or the number of
 * the change); `record.not-found` (no such change, or it is not in the log yet).
 */
export const logProof: Action = {
  requires,
  query: { names: ['luid', 'change'] },
  run: async (call) => {
    await requires.allow(call);
    const luid = textIn(call.query, 'luid');
    const change = wholeIn(call.query, 'change');
    const { services, ledger } = call;
    const proof = await includedIn(services.logs, ledger.handle, { luid, change });
    const { leaf, index, size, path, checkpoint } = proof;
    const data = { leaf, index, size, path: path.map(toBase64), checkpoint };
    return { status: 200, body: signed(ledger, data, services.clock()) };
  },
};

/**
 * Proves that a tree of the log is the beginning of a later one, by default of that of the newest checkpoint. Errors:
 * `auth.unauthorized`, `auth.forbidden` (the ledger may not be read); `api.query-malformed` (the sizes);
 * `record.not-found` (the log has no checkpoint yet).
 */
export const logConsistency: Action = {
  requires,
  query: { names: ['from', 'to'] },
  run: async (call) => {
    await requires.allow(call);
    const { query, services, ledger } = call;
    const from = wholeIn(query, 'from');
    const until = query['to'] === undefined ? undefined : wholeIn(query, 'to');
    const checkpoint = await newestCheckpoint(services.logs, ledger.handle);
    const to = until ?? checkpoint.size;
    assertSizes(from, to, checkpoint);
    const ranges = from === 0 ? [] : consistencyRanges(from, to);
    const path = await hashesIn(services.logs, ledger.handle, ranges, to);
    const data = { from, to, path: path.map(toBase64) };
    return { status: 200, body: signed(ledger, data, services.clock()) };
  },
};

function assertSizes(from: number, to: number, { size }: StoredCheckpoint): void {
  if (to > size)
    throw refusedParameter(
      'to',
      `must not be more than ${size}, the size of the newest checkpoint.`,
    );
  if (from > to) throw refusedParameter('from', `must not be more than ${to}.`);
}

/** The path of a tile, put together from the segments of the request. */
function pathIn({ path }: Call): string {
  const { level, part1, part2, part3, part4 } = path;
  return [level, part1, part2, part3, part4].filter((part) => part !== undefined).join('/');
}

async function tileBytes({ services, ledger }: Call, tile: Tile): Promise<Uint8Array> {
  const [hashes = []] = await services.logs.tiles(ledger.handle, [tile]);
  return Buffer.concat(hashes);
}

function bytesAnswer(bytes: Uint8Array): Answer {
  const text = Buffer.from(bytes).toString('base64');
  const type = 'application/octet-stream';
  return { status: 200, document: { type, text, isBase64: true, headers: cached } };
}

function noTile(): LedgerError {
  return new LedgerError('record.not-found', 'Tile not found');
}

/** A parameter that is `true` or `false`; false without it. */
function flagIn(query: Query, name: string): boolean {
  if (query[name] === undefined) return false;
  const text = textIn(query, name);
  if (text !== 'true' && text !== 'false') throw refusedParameter(name, 'must be true or false.');
  return text === 'true';
}

/** A parameter that is required, once. */
function textIn(query: Query, name: string): string {
  const [text = '', ...more] = query[name] ?? [];
  if (text === '' || more.length > 0) throw refusedParameter(name, 'is required, once.');
  return text;
}

/** A whole number from 0 on. */
function wholeIn(query: Query, name: string): number {
  const text = textIn(query, name);
  const number = /^(0|[1-9]\d{0,15})$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(number)) throw refusedParameter(name, 'must be a whole number.');
  return number;
}
