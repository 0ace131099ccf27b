/** A version comes out of its item exactly as it went in, and the item is small. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { digestOf, hashOf } from '../../shared/crypto/digest.ts';
import { type Kind, kinds, lineOf } from '../../shared/ledger/kind.ts';
import type { RecordData, Version } from '../../shared/ledger/record.ts';
import type { Proof } from '../../shared/shape/proof.ts';
import { headKeyOf } from '../../shared/store/keys.ts';
import { holdsSame, pack, unpack } from '../../shared/store/pack.ts';
import { packTexts, unpackTexts } from '../../shared/store/pack-texts.ts';
import { bridged } from '../fixture/bridged.ts';
import {
  bytesNamed,
  created,
  dropped,
  newLuid,
  proofBy,
  proved,
  publicNamed,
  transferred,
} from '../fixture/version.ts';

const handle = 'payment-2026-0001';

/** As it comes back from the database, where every number is a bigint. */
function stored(version: Version): Record<string, unknown> {
  const item = pack(version);
  return { pk: 'p', sk: '#', ...item, change: BigInt(item.change) };
}

/** How DynamoDB counts: names and values, two digits of a number to the byte. */
function bytesOf(item: object): number {
  const valueBytes = (value: unknown): number => {
    if (typeof value === 'string') return Buffer.byteLength(value);
    return value instanceof Uint8Array ? value.length : Math.ceil(String(value).length / 2) + 1;
  };
  return Object.entries(item)
    .map(([name, value]) => name.length + valueBytes(value))
    .reduce((sum, bytes) => sum + bytes, 0);
}

test('a transfer, with all of its proofs and changes, is one small item', () => {
  const version = transferred(handle);
  expect(version.record.meta.proofs).toHaveLength(7);
  expect(version.steps).toHaveLength(4);
  const bytes = bytesOf({ ...headKeyOf('acme', 'intent', handle), ...pack(version) });
  expect(bytes).toBeLessThan(1400);
});

test('a transfer of a busy ledger is an item of less than a kilobyte', () => {
  const version = { ...transferred(handle), spread: 7 };
  const item = pack(version);
  expect(bytesOf({ ...headKeyOf('acme', 'intent', handle), ...item })).toBeLessThan(900);
  expect(unpack(stored(version))).toEqual(version);
  expect(item).not.toHaveProperty('data');
  // An archive may have brought it as it was before.
  const { texts, ...rest } = item;
  const plain = { ...rest, ...unpackTexts({ texts: texts as Uint8Array }) };
  expect(unpack(plain)).toEqual(version);
  expect(holdsSame(item, plain)).toBe(true);
  expect(holdsSame(item, { ...plain, meta: '[]' })).toBe(false);
});

test('texts are stored and read as they were, however long and whatever is in them', () => {
  const text = fc.oneof(
    fc.json(),
    fc.string({ unit: 'binary', maxLength: 6_000 }).map((one) => JSON.stringify(one)),
  );
  fc.assert(
    fc.property(text, text, fc.nat({ max: 2_000 }), (data, meta, proofBytes) => {
      expect(unpackTexts(packTexts({ data, meta }, proofBytes))).toEqual({ data, meta });
    }),
  );
});

test('what was deflated once can be read for ever: no dictionary is changed', () => {
  const data = '{"handle":"payment-2026-0001"}';
  const kept = 'AEOKjILESpCPdMGJ0cDAwFCplis6FgA=';
  expect(unpackTexts({ texts: Buffer.from(kept, 'base64') })).toEqual({ data, meta: '[]' });
  const payment =
    'ASM+OyJlxsSczORUh6QccLWEK1sm5Sc5pBelpuah5k9wPV3LBcumhrpGZiGGplYmZlaGRnomlibIGbUgsRJXRoVYDs2sEGuw5Vhj/DkWUe5jCX5D7MFvSFHwg90NiQKIq6HxAAA=';
  expect(unpackTexts({ texts: Buffer.from(payment, 'base64') })).toEqual({
    data: '{"claims":[{"action":"transfer","amount":1,"source":"alice@blue","symbol":"usd","target":"bob@green"}],"handle":"rent"}',
    meta: '["2026-11-26T15:46:12.494Z",[0],[[0,"payer",1],[1,"system"],[2,"blue",1],[3,"green",1]],[[0,{"moment":-3,"status":0},20],[1,{"status":3},17]],[[1,"committed",11,171],[1,"completed",12,171]],{"counted":{"status":12},"accepted":[5,6,9,10],"voices":{"blue":[2],"green":[3]}}]',
  });
  expect(() => unpackTexts({ texts: Uint8Array.of(255, 1) })).toThrow('a known dictionary');
  expect(() => unpackTexts({})).toThrow('has its texts');
});

test('a payment between two bridges, with all that was reported of it, is an item of two kilobytes', () => {
  const reported = ['prepared', 'committed'];
  const version = {
    ...bridged({
      ...{ handle, status: 'completed', expiry: '2027-01-01T00:00:00.000Z' },
      entries: [
        { schema: 'debit', bridge: 'blue', reported },
        { schema: 'credit', bridge: 'green', reported },
      ],
      words: [{ status: 'prepared' }, { status: 'committed' }, { status: 'completed' }],
    }),
    bridgeOwners: { blue: [publicNamed('bank-signer')], green: [publicNamed('eve')] },
    bridgeLuids: { blue: newLuid('brg'), green: newLuid('brg') },
  };
  expect(version.record.meta.proofs).toHaveLength(12);
  expect(unpack(stored(version))).toStrictEqual(version);
  const bytes = bytesOf({ ...headKeyOf('acme', 'intent', handle), ...pack(version) });
  expect(bytes).toBeLessThan(2048);
});

test.each([
  ['a transfer', transferred(handle)],
  ['a first version', created('signer', 'ada', { custom: { deep: [{ er: null }] } })],
  ['a version of many changes', proved(created('wallet', 'alice'), 5)],
  ['a last version', dropped(created('wallet', 'alice'))],
])('%s comes back as it was', (_, version) => {
  expect(unpack(stored(version))).toStrictEqual(version);
  expect(holdsSame(pack(version), stored(version))).toBe(true);
  expect(holdsSame(pack(version), stored(proved(version)))).toBe(false);
});

test('a digest or a hash in upper case comes back so', () => {
  const version = created('wallet', 'alice');
  const { hash, meta } = version.record;
  const proofs = meta.proofs.map((proof) => ({ ...proof, digest: proof.digest.toUpperCase() }));
  const record = { ...version.record, hash: hash.toUpperCase(), meta: { ...meta, proofs } };
  expect(unpack(stored({ ...version, record }))).toStrictEqual({ ...version, record });
});

test('a version that no item can hold is not sent to the table', () => {
  const version = created('wallet', 'alice', { custom: { text: 'x'.repeat(400 * 1024) } });
  expect(() => pack(version)).toThrow('Broken assertion');
});

test('what was never checked is not stored', () => {
  const version = created('wallet', 'alice');
  const { meta } = version.record;
  const [proof] = meta.proofs as [Proof];
  for (const odd of [{ public: 'AAAA' }, { result: `${proof.result.slice(0, -3)}B==` }]) {
    const proofs = [{ ...proof, ...odd }];
    const record = { ...version.record, meta: { ...meta, proofs } };
    expect(() => pack({ ...version, record })).toThrow('Broken assertion');
  }
  expect(() => pack({ ...version, kind: 'signer' })).toThrow('Broken assertion');
});

// JSON as it arrives: no -0, no undefined, and none of the keys that the doors refuse. Ruling 6.
const json = fc
  .jsonValue({ maxDepth: 5, stringUnit: 'binary' })
  .map((value): unknown => JSON.parse(JSON.stringify(value)));
const name = fc.oneof(
  fc.constantFrom('moment', 'luid', 'status', 'handle', 'inputs'),
  fc.string({ unit: 'binary' }).filter((text) => text !== '__proto__'),
);
const moment = fc.oneof(
  fc.integer({ min: 0, max: 2 ** 42 }).map((ms) => new Date(ms).toISOString()),
  // As moments may be written that are not the ledger's.
  fc.constantFrom('2026-01-01T00:00:00Z', '+010000-01-01T00:00:00.000Z', 'soon', ''),
);
const text = fc.string({ unit: 'binary' });
/** What proofs say again and again. */
const usual = fc.record(
  {
    moment,
    status: fc.constantFrom('created', 'prepared', 'committed', 'rejected', 'odd', 3),
    handle: fc.constantFrom('deb_1', 'cre_1', '', 0),
  },
  { requiredKeys: [] },
);
const custom = fc
  .tuple(fc.dictionary(name, json), usual)
  .map(([free, said]) => ({ ...free, ...said }))
  .filter((value) => !hasProto(value));

function hasProto(value: unknown): boolean {
  return JSON.stringify(value).includes('__proto__');
}

const proofParts = fc.record({
  signer: fc.option(fc.constantFrom('ada', 'eve', 'system'), { nil: undefined }),
  key: fc.integer({ min: 0, max: 4 }),
  hasOrigin: fc.boolean(),
  custom: fc.option(custom, { nil: undefined }),
  echoesMoment: fc.boolean(),
  echoesLuid: fc.boolean(),
});

const version = fc
  .record({
    kind: fc.constantFrom(...(Object.keys(kinds) as Kind[])),
    data: custom,
    moment,
    status: text,
    owners: fc.array(fc.integer({ min: 0, max: 6 }).map((key) => publicNamed(`${key}`))),
    labels: fc.option(fc.array(text), { nil: undefined }),
    counted: fc.option(fc.constantFrom({ status: 3 }, { labels: 0 }, { status: 1, labels: 2 }), {
      nil: undefined,
    }),
    domain: fc.option(text, { nil: undefined }),
    clientId: fc.option(text, { nil: undefined }),
    predecessors: fc.option(
      fc.array(fc.integer({ min: 0, max: 6 }).map((key) => publicNamed(`${key}`))),
      { nil: undefined },
    ),
    parts: fc.array(proofParts, { maxLength: 8 }),
    steps: fc.array(
      fc.record({
        action: fc.constantFrom('create', 'update', 'drop'),
        status: text,
        moment,
        proofs: fc.nat(),
      }),
      { minLength: 1, maxLength: 5 },
    ),
    change: fc.integer({ min: 1 }),
    isDropped: fc.boolean(),
    voices: fc.option(
      fc.dictionary(
        fc.constantFrom('blue', 'green'),
        fc.array(fc.integer({ min: 0, max: 6 }).map((key) => publicNamed(`${key}`))),
      ),
      { nil: undefined },
    ),
  })
  .map(({ kind, parts, ...rest }): Version => {
    const luid = newLuid(lineOf(kind).prefix);
    const data = { ...rest.data, handle: 'h' } as RecordData;
    const hash = hashOf(data);
    const proofs = parts.map((part, index): Proof => {
      const echo = {
        ...(part.echoesMoment && { moment: rest.moment }),
        ...(part.echoesLuid && { luid }),
      };
      const said = part.custom && { ...part.custom, ...echo };
      return {
        method: 'ed25519-v2',
        public: publicNamed(`${part.key}`),
        digest: digestOf(hash, said),
        result: bytesNamed(`${index}`, 64),
        ...(said && { custom: said }),
        ...(part.signer !== undefined && { signer: part.signer }),
        ...(part.hasOrigin && { origin: 'key-pair' }),
      };
    });
    const { status, owners, labels, domain, clientId, predecessors, steps, change } = rest;
    const drop = { hash, data: { parent: hash }, meta: { proofs: [proofBy('ada', hash)] } };
    const meta = { proofs, status, moment: rest.moment, owners };
    const more = {
      ...(labels && { labels }),
      ...(domain !== undefined && { domain }),
      ...(clientId !== undefined && { clientId }),
      ...(predecessors && { predecessors }),
    };
    const record = { luid, hash, data, meta: { ...meta, ...more } };
    const { counted, voices } = rest;
    return {
      kind,
      record,
      change,
      steps,
      ...(rest.isDropped && { drop }),
      ...(counted && { counted }),
      ...(voices && { bridgeOwners: voices }),
    };
  });

test('any version comes back as it was', () => {
  fc.assert(
    fc.property(version, (one) => {
      expect(unpack(stored(one))).toEqual(one);
    }),
    { numRuns: 300 },
  );
});
