/**
 * The lines of an archive beside versions: one entry here for each kind of item that is exported as it is. All other
 * items follow from these and from the versions (`derive.ts`).
 */

import { encodeTime } from '../crypto/luid.ts';
import type { PlainObject } from '../ledger/compare.ts';
import {
  asideKeyOf,
  assetKeyOf,
  balanceKeyOf,
  checkpointKeyOf,
  clientKeyOf,
  cosignedKeyOf,
  deliveryKeyOf,
  eventKeyOf,
  hashesKeyOf,
  holderKeyOf,
  type ItemName,
  type Key,
  logKeyOf,
  outboxPartitionOf,
  outboxPlaceOf,
  ownEventKeyOf,
  publishedKeyOf,
  rulebookKeyOf,
  secretKeyOf,
  secretsKeyOf,
  shardKeyOf,
  shardOf,
  usageKeyOf,
  usedKeyOf,
  workKeyOf,
} from '../store/keys.ts';
import type { Item } from '../store/request.ts';
import {
  amount,
  bytes,
  type Codec,
  contentJson,
  count,
  deflatedJson,
  json,
  jsonLists,
  jsonObject,
  jsonObjects,
  manyBytes,
  plain,
  spreadCount,
  text,
} from './codec.ts';

/** A member of a line: its codec, and its attribute, if that has another name. */
interface LineMember {
  readonly codec: Codec;
  readonly attribute?: string;
  readonly isOptional?: true;
}

/** A kind of lines. */
export interface Wording {
  /** The letter by which lines are sorted first. */
  readonly section: string;
  /** Members from the key of the item. */
  readonly named: Readonly<Record<string, Codec>>;
  readonly members: Readonly<Record<string, LineMember>>;
  /** Reads these members from the key. */
  readonly names: (name: ItemName, item: Item) => PlainObject;
  readonly key: (ledger: string, line: PlainObject) => Key;
  /** The members by which such lines are sorted. */
  readonly order: readonly string[];
}

const maybe = (codec: Codec): LineMember => ({ codec, isOptional: true });
const always = (codec: Codec): LineMember => ({ codec });

/** Reads these members from the name of an item. */
const named =
  (...wanted: readonly string[]): Wording['names'] =>
  (name) =>
    Object.fromEntries(wanted.map((one) => [one, (name as PlainObject)[one]]));

const placed: Wording['names'] = (_, { sk }) => ({ place: sk });
const t = (line: PlainObject, member: string): string => line[member] as string;
const n = (line: PlainObject, member: string): number => line[member] as number;

const signals = {
  kind: always(text),
  luid: always(text),
  handle: always(text),
  signals: always(json),
  spread: maybe(count),
};

/** The amounts of a balance, and of one of its shards. */
const held = {
  luid: always(text),
  walletLuid: { codec: text, attribute: 'wallet' },
  available: always(amount),
  reserved: maybe(amount),
  holds: maybe(count),
  moves: maybe(count),
};

/** All kinds of lines but versions, by name. */
export const wordings: Readonly<Record<string, Wording>> = {
  // A symbol that ever had balances keeps its handle, so the mark is no result of the current ones.
  used: {
    section: 'c',
    named: { symbol: text },
    members: { luid: always(text) },
    names: (name) => ({ symbol: (name as PlainObject)['handle'] }),
    key: (ledger, line) => usageKeyOf(ledger, 'symbol', t(line, 'symbol')),
    order: ['symbol'],
  },
  balance: {
    section: 'd',
    named: { wallet: text, symbol: text },
    members: {
      ...held,
      limits: maybe(plain),
      counters: maybe(text),
      limitsChange: maybe(count),
      watched: maybe(count),
      fenced: maybe(count),
      shards: maybe(count),
      looked: maybe(count),
      lookedMoves: maybe(count),
      undivided: maybe(count),
    },
    names: named('wallet', 'symbol'),
    key: (ledger, line) => balanceKeyOf(ledger, t(line, 'wallet'), t(line, 'symbol')),
    order: ['wallet', 'symbol'],
  },
  // Shard 0 is the balance itself.
  shard: {
    section: 'd',
    named: { wallet: text, symbol: text, shard: count },
    members: {
      ...held,
      limitsChange: maybe(count),
      fenced: maybe(count),
    },
    names: named('wallet', 'symbol', 'shard'),
    key: (ledger, line) =>
      shardKeyOf(ledger, t(line, 'wallet'), t(line, 'symbol'), n(line, 'shard')),
    order: ['wallet', 'symbol', 'shard'],
  },
  key: {
    section: 'e',
    named: {},
    members: {
      public: always(text),
      wrapped: always(bytes),
      former: maybe(text),
      formerWrapped: maybe(bytes),
      formerUntilMs: maybe(count),
    },
    names: named(),
    key: secretKeyOf,
    order: [],
  },
  secrets: {
    section: 'f',
    named: { luid: text },
    members: { secrets: always(manyBytes) },
    names: named('luid'),
    key: (ledger, line) => secretsKeyOf(ledger, t(line, 'luid')),
    order: ['luid'],
  },
  client: {
    section: 'g',
    named: { id: text },
    members: {
      factor: always(text),
      luid: always(text),
      salt: always(bytes),
      hash: always(bytes),
    },
    names: named('id'),
    key: (ledger, line) => clientKeyOf(ledger, t(line, 'id')),
    order: ['id'],
  },
  // A used token stays used after an import.
  token: {
    section: 'h',
    named: { name: text },
    members: { expires: always(count) },
    names: named('name'),
    key: (ledger, line) => usedKeyOf(ledger, t(line, 'name')),
    order: ['name'],
  },
  // The last change of the ledger's own record that the server has published.
  announced: {
    section: 'a~',
    named: {},
    members: { place: always(text) },
    names: named(),
    key: (_, line) => publishedKeyOf('', shardOf(outboxPlaceOf(t(line, 'place')).luid)),
    order: [],
  },
  // The partitions over which a busy ledger has spread its intents. Decision 124.
  layout: {
    section: 'i',
    named: {},
    members: { spread: always(spreadCount) },
    names: named(),
    key: rulebookKeyOf,
    order: [],
  },
  told: {
    section: 'i',
    named: { shard: count },
    members: { place: always(text) },
    names: named('shard'),
    key: (ledger, line) => publishedKeyOf(ledger, n(line, 'shard')),
    order: ['shard'],
  },
  signal: {
    section: 'j',
    named: { place: text },
    members: signals,
    names: placed,
    key: (ledger, line) => signalKeyOf(tellerOf(ledger, line), line),
    order: ['place'],
  },
  aside: {
    section: 'k',
    named: { place: text },
    members: { ...signals, why: always(text) },
    names: placed,
    key: (ledger, line) => asideKeyOf(tellerOf(ledger, line), t(line, 'place')),
    order: ['place'],
  },
  event: {
    section: 'l',
    named: { luid: text },
    members: { hash: always(text), moment: always(text), data: always(jsonObject) },
    names: named('luid'),
    key: (ledger, line) => ownEventKeyOf({ scope: ledger, luid: t(line, 'luid') }),
    order: ['luid'],
  },
  delivery: {
    section: 'm',
    named: { luid: text, subject: text },
    members: {
      version: always(count),
      status: always(text),
      replay: always(count),
      attempts: always(count),
      due: maybe(count),
      output: maybe(jsonObject),
      proofs: maybe(jsonObjects),
      brings: maybe(jsonObject),
      event: maybe(text),
      intent: maybe(text),
      hash: maybe(text),
      moment: maybe(text),
      spread: maybe(count),
    },
    names: named('luid', 'subject'),
    key: (ledger, line) =>
      deliveryKeyOf({
        ...{ scope: ledger, subject: t(line, 'subject'), luid: t(line, 'luid') },
        spread: Number(line['spread'] ?? 0),
      }),
    order: ['luid', 'subject'],
  },
  asset: {
    section: 'n',
    named: { luid: text, asset: text, number: count },
    members: { text: always(text) },
    names: named('luid', 'asset', 'number'),
    key: (ledger, line) => assetKeyOf(ledger, t(line, 'luid'), t(line, 'asset'), n(line, 'number')),
    order: ['luid', 'asset', 'number'],
  },
  work: {
    section: 'o',
    named: { luid: text, due: count },
    members: {
      handle: always(text),
      failures: always(count),
      progress: always(jsonObject),
      version: always(count),
    },
    names: (name) => ({ luid: (name as PlainObject)['luid'], due: (name as PlainObject)['dueMs'] }),
    key: (ledger, line) => workKeyOf(ledger, t(line, 'luid'), n(line, 'due')),
    order: ['luid', 'due'],
  },
  brought: {
    section: 'p',
    named: { event: text, name: text },
    members: { record: maybe(json), packed: maybe(deflatedJson), content: maybe(contentJson) },
    names: named('event', 'name'),
    key: (ledger, line) =>
      eventKeyOf({ scope: ledger, event: t(line, 'event'), name: t(line, 'name') }),
    order: ['event', 'name'],
  },
  // Several signers may show a key, and the first one that registered it holds it. Decision 5.
  holder: {
    section: 'q',
    named: { public: text },
    members: {
      signer: maybe(text),
      predecessors: maybe(text),
      luid: maybe(text),
      successor: maybe(text),
    },
    names: named('public'),
    key: (ledger, line) => holderKeyOf(ledger, t(line, 'public')),
    order: ['public'],
  },
  // The log in the order in which it was written: an import must not sign another one. Decision 115.
  log: {
    section: 'r',
    named: {},
    members: {
      size: always(count),
      settled: always(count),
      peaks: maybe(bytes),
      whole: maybe(plain),
    },
    names: named(),
    key: logKeyOf,
    order: [],
  },
  checkpoint: {
    section: 's',
    named: {},
    members: { size: always(count), note: always(text) },
    names: named(),
    key: checkpointKeyOf,
    order: [],
  },
  // So that a moved log goes on with its witnesses, and serves what they have cosigned.
  cosigned: {
    section: 'u',
    named: {},
    members: {
      change: always(count),
      size: maybe(count),
      note: maybe(text),
      progress: always(json),
    },
    names: named(),
    key: cosignedKeyOf,
    order: [],
  },
  leaves: {
    section: 't',
    named: { index: count },
    members: { runs: always(jsonLists) },
    names: named('index'),
    key: (ledger, line) => hashesKeyOf(ledger, 0, n(line, 'index')),
    order: ['index'],
  },
};

/** The names of lines, by kind of item. Places and tiles follow from leaves. */
export const whatOfItem: Readonly<Partial<Record<ItemName['item'], string>>> = {
  balance: 'balance',
  shard: 'shard',
  secret: 'key',
  secrets: 'secrets',
  client: 'client',
  used: 'token',
  told: 'told',
  outbox: 'signal',
  aside: 'aside',
  event: 'event',
  brought: 'brought',
  delivery: 'delivery',
  asset: 'asset',
  work: 'work',
  holder: 'holder',
  log: 'log',
  checkpoint: 'checkpoint',
  cosigned: 'cosigned',
  leaves: 'leaves',
};

/** The scope of a signal: for the record of a ledger, the server. */
function tellerOf(ledger: string, { kind }: PlainObject): string {
  return kind === 'ledger' ? '' : ledger;
}

/** The key of the outbox entry at a place. */
function signalKeyOf(scope: string, line: PlainObject): Key {
  const place = t(line, 'place');
  const { luid, momentMs } = outboxPlaceOf(place);
  // The relay would never look at a malformed place.
  if (!place.startsWith(encodeTime(momentMs))) throw new Error(`'${place}' is no place.`);
  return { pk: outboxPartitionOf(scope, shardOf(luid, Number(line['spread'] ?? 0))), sk: place };
}
