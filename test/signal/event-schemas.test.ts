import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { hashOf } from '../../shared/crypto/digest.ts';
import { privateKeyOf, publicOf } from '../../shared/crypto/key.ts';
import { sign, verify } from '../../shared/crypto/proof.ts';
import { type Kind, kinds } from '../../shared/ledger/kind.ts';
import {
  type LedgerRecord,
  type RecordData,
  type Version,
  versionOf,
} from '../../shared/ledger/record.ts';
import type { Proof } from '../../shared/shape/proof.ts';
import { signalNames } from '../../shared/shape/signal-name.ts';
import { eventsOf, type LedgerEvent, type SignalRecords } from '../../shared/signal/event.ts';
import { eventSource } from '../../shared/signal/eventbridge.ts';
import { created, dropped, proved, revised, transferred } from '../fixture/version.ts';
import { partOf } from '../tidy/documents.ts';
import { aligned } from '../tidy/endpoint-table.ts';
import { details, eventSchemas, membersOf } from './event-schemas.ts';
import { entryOf } from './post.ts';

const path = 'shared/signal/events.schema.json';
const readme = 'shared/signal/README.md';
const remedy = 'UPDATE_DOCS=1 npm test -- --project store event-schemas';

const isUpdate = Boolean(process.env['UPDATE_DOCS']);

/** Lays a file out as the style check wants it, when it was just written. */
function format(file: string): void {
  const biome = ['node_modules/.bin/biome', 'format', '--write', file];
  if (isUpdate) execFileSync(process.execPath, biome, { stdio: 'ignore' });
}

/** The file as whoever hears events reads it. */
function schemasOfFile() {
  return JSON.parse(readFileSync(path, 'utf8')) as {
    readonly $defs: Readonly<Record<string, object>>;
  };
}

/** Whether the schema of a detail type, as the file has it, takes this detail. */
function isValid(type: string, detail: unknown): boolean {
  const { $defs } = schemasOfFile();
  const schema = { $ref: `#/$defs/${type}`, $defs } as Parameters<typeof z.fromJSONSchema>[0];
  return z.fromJSONSchema(schema).safeParse(detail).success;
}

const webhook = { schema: 'webhook', endpoint: 'https://example.com/events' };
const datas: Record<Kind, Partial<RecordData>> = {
  ledger: { config: { 'oauth.tokenSeconds': 60 } },
  signer: { public: 'A'.repeat(43).concat('='), format: 'ed25519-raw' },
  symbol: { factor: 100 },
  wallet: { custom: { note: 'x' } },
  intent: {},
  effect: { signal: 'balance-received', action: webhook, filter: { amount: { $gt: 5 } } },
  'signer-factor': { signer: 'ann', schema: 'oauth-client-credentials' },
  circle: {},
  'circle-signer': { circle: 'staff' },
  bridge: { config: { server: 'https://bank.example' } },
  domain: { domain: 'parent' },
  anchor: { target: 'alice@bank' },
  schema: { record: 'wallet', format: 'json-schema', schema: {} } as never,
  policy: { schema: 'status', record: 'wallet', values: [] },
  report: { schema: 'trans_details_rep' },
};

/** An event of every signal that a record of the kind gives. */
function lifeOf(kind: Kind): LedgerEvent[] {
  const told = (version: Version, happening: string) =>
    eventsOf(entryOf(version, [`${kind}-${happening}`], kind === 'ledger' ? '' : 'main'), version);
  if (kind === 'intent') return lifeOfIntent();
  const first = created(kind, 'told', datas[kind]);
  const second = revised(first);
  const third = proved(second);
  return [
    ...told(first, 'created'),
    ...(kinds[kind].updates ? told(second, 'updated') : []),
    ...(details.has(`${kind}-proofs-added`) ? told(third, 'proofs-added') : []),
    ...(kinds[kind].drops ? told(dropped(third), 'dropped') : []),
  ];
}

const parties: SignalRecords = new Map([
  ['main wallet bob', created('wallet', 'bob').record],
  ['main symbol usd', created('symbol', 'usd', { factor: 100 }).record],
]);

/** The signals of intents that are not about a change of theirs. */
const ofIntents = ['balance-received', 'wallet-limited'];

function received(amount: string) {
  const custom = { wallet: 'bob', symbol: 'usd', amount };
  return { signal: 'balance-received', change: 4, custom };
}

function limited(metric: string, amount: string) {
  const custom = { wallet: 'bob', symbol: 'usd', metric, amount };
  return { signal: 'wallet-limited', change: 4, custom };
}

function lifeOfIntent(): LedgerEvent[] {
  const intent = transferred('rent');
  const changes = [1, 2, 3, 4].map((change) => ({
    signal: change === 1 ? 'intent-created' : 'intent-updated',
    change,
  }));
  const later = proved(intent);
  return [
    ...eventsOf(entryOf(intent, [...changes, received('1500')]), intent, parties),
    ...eventsOf(entryOf(intent, [received('9'.repeat(20))]), intent),
    ...eventsOf(entryOf(intent, [limited('minBalance', '-5')]), intent, parties),
    ...eventsOf(entryOf(intent, [limited('dailyCount', '0')]), intent),
    ...eventsOf(entryOf(later, ['intent-proofs-added']), later),
  ];
}

test('the file says what the kinds and the shapes say', () => {
  if (isUpdate) writeFileSync(path, JSON.stringify(eventSchemas(), null, 2));
  format(path);
  expect(schemasOfFile(), remedy).toEqual(eventSchemas());
});

test('there is one for each kind, and its detail types are the signals that an effect may ask for', () => {
  const { $defs } = schemasOfFile();
  expect(Object.keys($defs).sort()).toEqual(
    [
      ...details.keys(),
      ...Object.keys(kinds),
      'bridge-entry',
      'proof',
      'signer-matcher',
      'bearer-matcher',
    ].sort(),
  );
  expect([...details.keys()].sort()).toEqual(signalNames.toSorted());
});

describe.each(Object.keys(kinds) as Kind[])('the events of a record: %s', (kind) => {
  const events = lifeOf(kind).map((event) => JSON.parse(JSON.stringify(event)) as LedgerEvent);

  test('give every signal of the kind', () => {
    const types = [...details.keys()].filter(
      (type) =>
        type.replace(/-(created|updated|proofs-added|dropped)$/, '') === kind ||
        (kind === 'intent' && ofIntents.includes(type)),
    );
    expect([...new Set(events.map(({ data }) => data.signal))].sort()).toEqual(types.sort());
  });

  test('are as their schemas say', () => {
    for (const event of events) {
      expect(details.get(event.data.signal)?.safeParse(event).error).toBeUndefined();
      expect(isValid(event.data.signal, event)).toBe(true);
    }
  });

  test('are not as the schemas of others say', () => {
    const [event] = events as [LedgerEvent];
    const others = [...details.keys()].filter((type) => type !== event.data.signal);
    expect(others.filter((type) => isValid(type, event))).toEqual([]);
  });

  test('are whole, and may have members that nobody knows yet', () => {
    const [event] = events as [LedgerEvent];
    const { signal } = event.data;
    const withData = (data: object) => ({ ...event, data: { ...event.data, ...data } });
    expect(isValid(signal, { ...event, page: 1 })).toBe(true);
    expect(isValid(signal, withData({ more: 1 }))).toBe(true);
    expect(isValid(signal, { ...event, ledger: undefined })).toBe(false);
    expect(isValid(signal, { ...event, luid: '$xyz.12345678901234567' })).toBe(false);
    expect(isValid(signal, withData({ [kind]: undefined }))).toBe(false);
    expect(isValid(signal, withData({ [kind]: {} }))).toBe(false);
    expect(isValid(signal, withData({ change: 0 }))).toBe(false);
    expect(isValid(signal, withData({ handle: 'told' }))).toBe(false);
  });
});

test('the example of the README is an event, as it comes from the bus', () => {
  const example = exampleEvent();
  expect(isValid('wallet-created', example)).toBe(true);
  const { hash, data, meta } = example.data['wallet'] as LedgerRecord;
  expect(hash).toBe(hashOf(data));
  expect(meta.proofs.every((proof) => verify(hash, proof))).toBe(true);
  const envelope = {
    source: eventSource,
    'detail-type': example.data.signal,
    resources: [example.luid],
    detail: example,
  };
  const part = ['```json', JSON.stringify(envelope, null, 2), '```'].join('\n');
  const shown = partOf(readme, 'example', part)?.replaceAll(/^```.*$/gm, '') ?? '{}';
  expect(JSON.parse(shown), remedy).toEqual(envelope);
});

test('the table of the README names every detail type', () => {
  const rows = [...membersOf].map(([type, members]) => [
    `\`${type}\``,
    members.map((name) => `\`${name}\``).join(', '),
  ]);
  const part = aligned([['detail type', 'beside `handle`, `signal`, `change`, `moment`'], ...rows]);
  expect(partOf(readme, 'types', part), remedy).toBe(part);
});

/** What whoever subscribes to new wallets hears: made of fixed keys, a fixed time and a fixed luid. */
function exampleEvent(): LedgerEvent {
  const luid = '$wlt.-OkO3jc-4r0b2hYx7';
  const moment = '2026-02-01T12:00:00.000Z';
  const status = 'created';
  const data = { handle: 'alice', custom: { note: 'savings' } };
  const hash = hashOf(data);
  const keyOf = (seed: Buffer) => ({ public: publicOf(seed), privateKey: privateKeyOf(seed) });
  const [author, system] = [keyOf(Buffer.alloc(32, 1)), keyOf(Buffer.alloc(32, 2))];
  const proofs: Proof[] = [
    { ...sign(hash, { moment, status }, author), signer: 'alice-signer', origin: 'key-pair' },
    { ...sign(hash, { luid, moment, status }, system), signer: 'system' },
  ];
  const meta = { proofs, status, moment, owners: [author.public] };
  const steps = [{ action: 'create' as const, status, moment, proofs: proofs.length }];
  const version = versionOf('wallet', { luid, hash, data, meta }, steps);
  const [event] = eventsOf(entryOf(version), version) as [LedgerEvent];
  return event;
}
