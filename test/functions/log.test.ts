/**
 * The log of a ledger over HTTP: as C2SP tlog-tiles has it, verified by a reader who shares no code with it, and receipts
 * that are verified without the ledger. Rulings 97 and 98, Decision 115.
 */
import { createPublicKey, verify } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { receiptVerifier, verifyReceipt } from '../../shared/client/receipt.ts';
import { isValidPublic, keyOf } from '../../shared/crypto/key.ts';
import {
  type Client,
  claimOf,
  farewell,
  type Item,
  type Json,
  newKey,
  newLedger,
  now,
  proofOf,
  type Reply,
  revision,
  signed,
} from '../fixture/client.ts';
import { ann, forbidden, houseOf, missing, outcome, owner, wallet } from '../fixture/house.ts';
import { otherLuid } from '../fixture/other-luid.ts';
import { sharedHome } from '../fixture/served.ts';
import { bearing } from '../fixture/token.ts';
import { rfcExtends, rfcIncludes, rfcPath, rfcProof, rfcRoot } from '../log/rfc.ts';

const home = await sharedHome();
const key = newKey();

interface Checkpoint {
  readonly note: string;
  readonly origin: string;
  readonly size: number;
  readonly root: Buffer;
}

/** An answer that is no JSON, as bytes. */
async function rawAt({ url, ledger }: Client, path: string, type: string): Promise<Buffer> {
  const response = await fetch(`${url}${path}`, { headers: { 'x-ledger': ledger ?? '' } });
  expect([response.status, response.headers.get('content-type')], path).toEqual([200, type]);
  return Buffer.from(await response.arrayBuffer());
}

/** Asks again until the answer is there: the log has a change within two seconds. */
async function patiently(ask: () => Promise<Reply>): Promise<Reply> {
  for (;;) {
    const reply = await ask();
    if (reply.status !== 404) return reply;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Reads a checkpoint as the standard says, and verifies it by the key of the signer `log`. */
async function checkpointOf(ledger: Client): Promise<Checkpoint> {
  const note = (await rawAt(ledger, '/log/checkpoint', 'text/plain; charset=utf-8')).toString();
  const [body = '', signature = ''] = note.split('\n\n');
  const [origin = '', size = '', root = ''] = body.split('\n');
  const [dash, name, text = ''] = signature.trimEnd().split(' ');
  expect([dash, name]).toEqual(['\u2014', origin]);
  const signer = (await ledger.get('/signers/log')).body;
  const raw = Buffer.from(String(signer.data['public']), 'base64');
  const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), raw]);
  const publicKey = createPublicKey({ key: der, format: 'der', type: 'spki' });
  const bytes = Buffer.from(text, 'base64').subarray(4);
  expect(verify(null, Buffer.from(`${body}\n`), publicKey, bytes)).toBe(true);
  return { note, origin, size: Number(size), root: Buffer.from(root, 'base64') };
}

/** The checkpoint once it includes all of these records: each comes by the shard of its outbox. */
async function settled(ledger: Client, records: readonly Item[]): Promise<Checkpoint> {
  for (const { luid } of records)
    await patiently(() => ledger.get(`/log/proof?luid=${luid}&change=1`));
  return checkpointOf(ledger);
}

const bytesAt = (ledger: Client, path: string) => rawAt(ledger, path, 'application/octet-stream');

/** All entries of the log, bundle by bundle. */
async function entriesOf(ledger: Client, size: number): Promise<Buffer[]> {
  const entries: Buffer[] = [];
  for (let number = 0; number * 256 < size; number += 1) {
    const width = Math.min(256, size - number * 256);
    const partial = width < 256 ? `.p/${width}` : '';
    const bundle = await bytesAt(ledger, `/log/tile/entries/00${number}${partial}`);
    for (let at = 0; at < bundle.length; ) {
      const length = bundle.readUInt16BE(at);
      entries.push(bundle.subarray(at + 2, at + 2 + length));
      at += 2 + length;
    }
  }
  return entries;
}

describe('a log', () => {
  let ledger: Client;
  let last: Item;
  let checkpoint: Checkpoint;
  beforeAll(async () => {
    ledger = await newLedger(home, key);
    const made = [
      await ledger.make('symbols', { handle: 'usd', factor: 100 }, key),
      await ledger.make('wallets', { handle: 'alice' }, key),
    ];
    for (let index = 0; index < 70; index += 1) {
      const data = { handle: `i${index}`, claims: [claimOf('issue alice 5 usd')] };
      last = await ledger.make('intents', data, key);
      made.push(last);
    }
    checkpoint = await settled(ledger, made);
  });

  test('has every change of every record, and its root is that of the RFC', async () => {
    const { size, root, origin } = checkpoint;
    const own = (await ledger.get('/ledger')).body;
    expect(origin).toBe(`countersign/${own.luid}`);
    const entries = await entriesOf(ledger, size);
    expect(entries).toHaveLength(size);
    expect(size).toBeGreaterThan(256);
    expect(rfcRoot(entries).equals(root)).toBe(true);
    const leaves = entries.map((entry) => JSON.parse(entry.toString()) as Json);
    const changes = (await ledger.get(`/intents/${last.luid}/changes`)).items;
    const found = leaves.filter(({ luid }) => luid === last.luid);
    expect(found.map(({ change, hash, moment }) => ({ change, hash, moment }))).toEqual(
      changes
        .toReversed()
        .map(({ hash, meta }) => ({ change: meta['change'], hash, moment: meta['moment'] })),
    );
  });

  test('serves its tiles: full ones, partial ones, and those above', async () => {
    const { size } = checkpoint;
    const entries = await entriesOf(ledger, size);
    const hashes = entries.map((entry) => rfcRoot([entry]));
    const full = await bytesAt(ledger, '/log/tile/0/000');
    expect(full.equals(Buffer.concat(hashes.slice(0, 256)))).toBe(true);
    const partial = await bytesAt(ledger, `/log/tile/0/001.p/${size - 256}`);
    expect(partial.equals(Buffer.concat(hashes.slice(256)))).toBe(true);
    expect((await bytesAt(ledger, '/log/tile/0/000.p/3')).length).toBe(96);
    const above = await bytesAt(ledger, '/log/tile/1/000.p/1');
    expect(above.equals(rfcRoot(entries.slice(0, 256)))).toBe(true);
  });

  test.each([
    '/log/tile/0/002',
    '/log/tile/0/001',
    '/log/tile/0/000.p/256',
    '/log/tile/0/000.p/0',
    '/log/tile/0/0',
    '/log/tile/1/000',
    '/log/tile/1/000.p/2',
    '/log/tile/64/000',
    '/log/tile/x/000',
    '/log/tile/entries/003',
    '/log/tile/0/x000/000',
    '/log/tile/0/x001/x234/067',
    '/log/tile/0/x001/x234/067.p/9',
  ])('has no tile at %s', async (path) => {
    const reply = await ledger.get(path);
    expect(outcome(reply)).toEqual(missing);
  });

  test('proves that it has a change', async () => {
    const reply = await ledger.get(`/log/proof?luid=${last.luid}&change=2`);
    const { leaf, index, size, path, checkpoint: note } = reply.body.data as Json;
    expect(note).toBe(checkpoint.note);
    expect(leaf).toMatchObject({ luid: last.luid, change: 2, hash: last.hash });
    const entries = await entriesOf(ledger, checkpoint.size);
    const hashes = (path as string[]).map((text) => Buffer.from(text, 'base64'));
    expect(hashes).toEqual(rfcPath(Number(index), entries));
    const entry = entries[Number(index)] as Buffer;
    expect(JSON.parse(entry.toString())).toEqual(leaf);
    expect(rfcIncludes(entry, Number(index), Number(size), hashes, checkpoint.root)).toBe(true);
  });

  test('proves that it only went on', async () => {
    const { size, root } = checkpoint;
    const entries = await entriesOf(ledger, size);
    for (const from of [0, 1, 100, 256, size]) {
      const { data } = (await ledger.get(`/log/consistency?from=${from}`)).body;
      const path = (data['path'] as string[]).map((text) => Buffer.from(text, 'base64'));
      expect(data).toMatchObject({ from, to: size });
      expect(path).toEqual(from === 0 ? [] : rfcProof(from, entries));
      const older = rfcRoot(entries.slice(0, from));
      expect(rfcExtends(from, size, path, [older, root])).toBe(true);
    }
    const { data } = (await ledger.get('/log/consistency?from=7&to=99')).body;
    const path = (data['path'] as string[]).map((text) => Buffer.from(text, 'base64'));
    expect(path).toEqual(rfcProof(7, entries.slice(0, 99)));
  });

  test.each([
    ['/log/proof', 'luid'],
    ['/log/proof?luid=$int.x', 'change'],
    ['/log/proof?luid=$int.x&change=one', 'change'],
    ['/log/proof?luid=$int.x&luid=y&change=1', 'luid'],
    ['/log/consistency', 'from'],
    ['/log/consistency?from=-1', 'from'],
    ['/log/consistency?from=9&to=8', 'from'],
    ['/log/consistency?from=1&to=999999', 'to'],
    ['/log/consistency?from=99999999999999999', 'from'],
  ])('refuses %s, and names the parameter', async (path, parameter) => {
    const reply = await ledger.get(path);
    expect(outcome(reply)).toEqual([400, 'api.query-malformed']);
    expect(reply.body.data['custom']).toMatchObject({ parameter });
  });

  test('has nothing of a change that there is not', async () => {
    for (const path of [
      `luid=${last.luid}&change=99`,
      'luid=$int.x&change=1',
      'luid=%00&change=1',
      `luid=${last.luid}&change=0`,
    ])
      expect(outcome(await ledger.get(`/log/proof?${path}`))).toEqual(missing);
  });
});

/** Some places of letters and digits in a part of a text. */
function placesIn(whole: string, part: string): number[] {
  const start = whole.indexOf(part);
  const step = Math.max(1, part.length >> 5);
  return Array.from(part, (_, at) => start + at).filter(
    (at) => (at - start) % step === 1 % step && /[0-9a-zA-Z]/.test(whole[at] ?? ''),
  );
}

describe('the index of a leaf', () => {
  let ledger: Client;
  let alice: Item;
  beforeAll(async () => {
    ledger = await newLedger(home, key);
    alice = await ledger.make('wallets', { handle: 'alice' }, key);
    await ledger.prove('wallets', alice, key, { status: 'active' });
    await ledger.make('symbols', { handle: 'usd', factor: 100 }, key);
    await ledger.make('intents', { handle: 'pay', claims: [claimOf('issue alice 5 usd')] }, key);
    await patiently(() => ledger.get('/intents/pay/receipt'));
  });

  test.each([
    ['/wallets/alice', 2],
    ['/wallets/alice/changes/1', 1],
    ['/intents/pay', 4],
    ['/intents/pay/changes/2', 2],
    ['/ledger', 1],
    ['/signers/log', 1],
  ])('is in meta of %s where it is asked for, and nowhere else', async (path, change) => {
    const plain = (await ledger.get(path)).body;
    expect(plain.meta).not.toHaveProperty('leaf');
    const { leaf, ...meta } = (await ledger.get(`${path}?include=leaf`)).body.meta as Json;
    const proof = await ledger.get(`/log/proof?luid=${plain.luid}&change=${change}`);
    expect([leaf, meta]).toEqual([proof.body.data['index'], plain.meta]);
    expect(Number.isSafeInteger(leaf)).toBe(true);
  });

  test('is left out until there is one', async () => {
    // The leaf comes behind the answer, so it is there or not; an answer comes in either case.
    const { luid } = await ledger.make('wallets', { handle: 'new' }, key);
    const reply = await ledger.get(`/wallets/${luid}?include=leaf`);
    expect([reply.status, ['number', 'undefined']]).toEqual([
      200,
      expect.arrayContaining([typeof (reply.body.meta as Json)['leaf']]),
    ]);
  });

  test.each(['?include=all', '?include=', '?include=leaf&include=leaf'])(
    'is asked for by nothing else: %s',
    async (query) => {
      for (const path of ['/wallets/alice', '/intents/pay', '/wallets/alice/changes/1'])
        expect(outcome(await ledger.get(`${path}${query}`))).toEqual([400, 'api.query-malformed']);
    },
  );
});

describe('a receipt', () => {
  let ledger: Client;
  let intent: Item;
  let text: string;
  let own: string;
  beforeAll(async () => {
    ledger = await newLedger(home, key);
    await ledger.make('symbols', { handle: 'usd', factor: 100 }, key);
    await ledger.make('wallets', { handle: 'alice' }, key);
    const claims = [claimOf('issue alice 5 usd')];
    intent = await ledger.make('intents', { handle: 'pay', claims }, key);
    const reply = await patiently(() => ledger.get('/intents/pay/receipt'));
    expect(reply.status, reply.text).toBe(200);
    text = reply.text;
    own = String((await ledger.get('/signers/system')).body.data['public']);
  });

  test('proves a payment without the ledger, and says what it had to trust', () => {
    const verified = verifyReceipt(text, { key: own });
    expect(verified).toMatchObject({ isProven: true, faults: [], trusts: own, isKeyGiven: true });
    expect(verified.moment).toBe(intent.meta.proofs.at(-1)?.custom?.['moment']);
    const said = verified.facts.join(' ');
    expect(said).toContain(
      `${intent.luid} (pay) had this data and these signatures after its change`,
    );
    expect(said).toContain('The ledger states its status: completed.');
    expect(said).toContain(key.public);
    expect(said).toContain('which is the one that was expected');
    const unknown = verifyReceipt(text);
    expect(unknown).toMatchObject({ isProven: true, isKeyGiven: false, trusts: own });
    expect(unknown.facts.join(' ')).toContain('compare it with what the ledger has published');
    const other = verifyReceipt(text, { key: newKey().public });
    expect(other).toMatchObject({ isProven: false, facts: [] });
    expect(other.faults[0]).toMatch(/^The receipt is of the ledger with the key/);
  });

  test('is verified natively with the same result', () => {
    const isSigned = (bytes: Uint8Array, signature: string, by: string) =>
      isValidPublic(by) && verify(null, bytes, keyOf(by), Buffer.from(signature, 'base64'));
    const verifier = receiptVerifier({ key: own, isSigned });
    expect(verifier(text)).toEqual(verifyReceipt(text, { key: own }));
    expect(verifier(text)).toEqual(verifyReceipt(text, { key: own }));
  });

  test('that is altered anywhere in what it proves is none', () => {
    const { data } = JSON.parse(text) as { data: Json };
    const whole = JSON.stringify({ data });
    const essential = JSON.stringify((data['record'] as Item).data);
    const proofs = JSON.stringify((data['record'] as Item).meta.proofs);
    const places = [essential, proofs, JSON.stringify(data['proof'])].flatMap((part) =>
      placesIn(whole, part),
    );
    expect(places.length).toBeGreaterThan(60);
    for (const at of places) {
      const altered = `${whole.slice(0, at)}${whole[at] === '1' ? '2' : '1'}${whole.slice(at + 1)}`;
      const { isProven, faults } = verifyReceipt(altered, { key: own });
      expect([isProven, faults.length > 0], altered.slice(at - 30, at + 30)).toEqual([false, true]);
    }
    expect(verifyReceipt(whole, { key: own }).isProven).toBe(true);
  });

  test.each([
    ['no JSON', 'x'],
    ['another answer', '{"data":{"handle":"x"}}'],
    ['nothing', 'null'],
    ['a list', '{"data":[]}'],
  ])('of %s is none', (_, other) => {
    const { isProven, faults } = verifyReceipt(other);
    expect(isProven).toBe(false);
    expect(faults[0]).toMatch(/^The file is no receipt/);
  });

  test('is there for any change of any record, and for the ledger itself', async () => {
    const alice = (await ledger.get('/wallets/alice')).body;
    const system = (await ledger.get('/signers/system')).body;
    for (const path of [
      `/wallets/${alice.luid}/changes/1/receipt`,
      '/symbols/usd/changes/1/receipt',
      `/signers/${system.luid}/changes/1/receipt`,
      '/signers/log/changes/1/receipt',
      '/intents/pay/changes/2/receipt',
      '/ledger/changes/1/receipt',
    ]) {
      const reply = await ledger.get(path);
      expect(reply.status, `${path} ${reply.text}`).toBe(200);
      expect(verifyReceipt(reply.text, { key: own }), path).toMatchObject({
        isProven: true,
        faults: [],
      });
    }
    expect(outcome(await ledger.get('/wallets/alice/changes/9/receipt'))).toEqual(missing);
  });

  test('says of a status what the signatures say, and no more', async () => {
    const bob = await ledger.make('wallets', { handle: 'bob' }, key);
    await ledger.prove('wallets', bob, key, { status: 'active' });
    const path = `/wallets/${bob.luid}/changes`;
    const asked = await patiently(() => ledger.get(`${path}/2/receipt`));
    const made = await ledger.get(`${path}/1/receipt`);
    const factsOf = ({ text: said }: Reply) => verifyReceipt(said, { key: own }).facts;
    expect(factsOf(made)).toContain('The ledger states its status: created.');
    expect(factsOf(asked)).toContain(
      'Its status is in no signature of the ledger, and so not proven: the receipt says active.',
    );
    for (const [from, to] of [
      ['"status":"completed"', '"status":"rejected"'],
      ['"change":4', '"change":3'],
      [intent.luid, otherLuid(intent.luid)],
    ] as const) {
      const at = text.lastIndexOf(from);
      const altered = `${text.slice(0, at)}${to}${text.slice(at + from.length)}`;
      expect([from, altered === text]).toEqual([from, false]);
      expect(verifyReceipt(altered, { key: own }).isProven, from).toBe(false);
    }
  });

  test('of a dropped record proves its end', async () => {
    const gone = await ledger.make('wallets', { handle: 'gone' }, key);
    await ledger.send('DELETE', `/wallets/${gone.luid}`, farewell(gone, key));
    const path = `/wallets/${gone.luid}/changes/2/receipt`;
    const verified = verifyReceipt((await patiently(() => ledger.get(path))).text, { key: own });
    expect(verified.faults).toEqual([]);
    expect(verified.facts).toContain('The ledger states its status: dropped.');
  });
});

test('who may not read the ledger reads neither its log nor a receipt', async () => {
  const ledger = await houseOf(home);
  const { luid } = await wallet(ledger);
  const path = `/wallets/${luid}/changes/1/receipt`;
  const receipt = await patiently(() => ledger.get(path, bearing(owner)));
  expect(verifyReceipt(receipt.text, { key: ledger.key })).toMatchObject({ isProven: true });
  for (const closed of [
    '/log/checkpoint',
    '/log/tile/0/000.p/1',
    '/log/proof?luid=x&change=1',
    '/log/consistency?from=0',
    path,
  ])
    expect(outcome(await ledger.get(closed, bearing(ann))), closed).toEqual(forbidden);
});

test('nobody makes, changes or proves over the signer of the log', async () => {
  const ledger = await newLedger(home, key);
  const body = signed({ handle: 'log', public: newKey().public, format: 'ed25519-raw' }, key);
  expect(outcome(await ledger.post('/signers', body))).toEqual([422, 'record.invalid']);
  const log = (await ledger.get('/signers/log')).body;
  const { public: other } = newKey();
  const change = revision(log, { public: other }, key);
  expect(outcome(await ledger.put('/signers/log', change))).toEqual([422, 'record.invalid']);
  const proof = proofOf(log.hash, key, { moment: now() });
  expect(outcome(await ledger.post('/signers/log/proofs', proof))).toEqual([
    422,
    'record.update-rejected',
  ]);
});
