/**
 * What the details of events look like, as JSON Schema for whoever hears them: made from the kinds and
 * the shapes of their data. Members may be added to any object, so that none of them is closed.
 */
import * as z from 'zod/mini';
import { type Kind, kinds, lineOf } from '../../shared/ledger/kind.ts';
import { dataShape } from '../../shared/shape/body.ts';
import { SignerMatcher } from '../../shared/shape/matcher.ts';
import { Custom, Hex64, SentProof } from '../../shared/shape/proof.ts';
import { BearerMatcher } from '../../shared/shape/rule.ts';
import { entrySignals } from '../../shared/shape/signal-name.ts';

const names = z.registry<{ id: string; description?: string }>();
SignerMatcher.register(names, { id: 'signer-matcher', description: 'Whom a rule means.' });
BearerMatcher.register(names, { id: 'bearer-matcher', description: 'Which tokens a rule means.' });

const Proof = z
  .extend(SentProof, {
    custom: z.exactOptional(Custom),
    signer: z.exactOptional(z.string()),
    origin: z.exactOptional(z.literal('key-pair')),
  })
  .register(names, { id: 'proof', description: 'A signature over a digest.' });

const Moment = z.iso.datetime();
const EntryHandle = z.string().check(z.regex(/^(deb|cre)_[-\w]{17}$/));
const EntryStatus = z.enum([
  'pending',
  'prepared',
  'failed',
  'committing',
  'aborting',
  'committed',
  'aborted',
]);

const records = new Map<Kind, z.ZodMiniObject>();

/** A record of the kind, as events carry it. */
function recordOf(kind: Kind): z.ZodMiniObject {
  const record = records.get(kind) ?? newRecordOf(kind);
  records.set(kind, record);
  return record;
}

function newRecordOf(kind: Kind): z.ZodMiniObject {
  const meta = z.looseObject({
    proofs: z.array(Proof),
    status: z.string(),
    moment: Moment,
    owners: z.array(z.string()),
    labels: z.exactOptional(z.array(z.string())),
    domain: z.exactOptional(z.string()),
  });
  return z
    .looseObject({
      luid: luidOf(kind),
      hash: Hex64,
      data: z.extend(dataShape(kind), { parent: z.exactOptional(Hex64) }),
      meta,
    })
    .register(names, { id: kind, description: `A ${kind} as it stood at the change.` });
}

function luidOf(kind: Kind): z.ZodMiniString {
  return z.string().check(z.regex(new RegExp(`^\\$${lineOf(kind).prefix}\\.[-\\w]{17}$`)));
}

/** What an event of an intent brings along of its entries at bridges. */
const News = z.array(
  z.looseObject({
    signal: z.literal([...entrySignals]),
    entry: EntryHandle,
    bridge: z.string(),
    intent: z.exactOptional(z.string()),
    change: z.int().check(z.positive()),
    status: EntryStatus,
  }),
);

/** The detail of an event: a `LedgerEvent`; `records` are what it tells of, by what it calls them. */
function detailOf(signal: string, kind: Kind, records: z.core.$ZodShape) {
  const data = z.looseObject({
    handle: z.string().check(z.regex(/^evt_[-\w]{17}$/)),
    signal: z.literal(signal),
    change: z.int().check(z.positive()),
    moment: Moment,
    ...records,
  });
  const isChangeOfIntent = signal.startsWith('intent-');
  const entries = isChangeOfIntent ? { entries: z.exactOptional(News) } : {};
  return z
    .looseObject({ ledger: z.string(), luid: luidOf(kind), data, ...entries })
    .register(names, { id: signal, description: `The detail of an event of type ${signal}.` });
}

const Address = z.looseObject({ handle: z.string(), custom: z.exactOptional(Custom) });

/** An entry at a bridge, as it is told beside its bridge's own calls. Ruling 78. */
const Entry = z
  .looseObject({
    luid: z.string().check(z.regex(/^\$ben\.[-\w]{17}$/)),
    hash: Hex64,
    data: z.looseObject({
      handle: EntryHandle,
      luid: z.string(),
      schema: z.enum(['debit', 'credit']),
      amount: z.int().check(z.positive()),
      symbol: z.looseObject({ handle: z.string() }),
      source: z.exactOptional(Address),
      target: z.exactOptional(Address),
      custom: z.exactOptional(Custom),
      inputs: z.array(z.int()),
      intent: recordOf('intent'),
      bridge: z.looseObject({ handle: z.string() }),
    }),
    meta: z.looseObject({
      proofs: z.array(Proof),
      status: EntryStatus,
      moment: Moment,
      domain: z.exactOptional(z.string()),
    }),
  })
  .register(names, { id: 'bridge-entry', description: 'An entry that a bridge is asked for.' });

function detailOfEntry(signal: (typeof entrySignals)[number]) {
  const proof = signal === 'bridge-entry-proofs-added' ? { proof: Proof } : {};
  return detailOf(signal, 'intent', { 'bridge-entry': Entry, ...proof });
}

/** Beyond 2^53 an amount is its digits. */
const Amount = z.union([
  z.int().check(z.positive()),
  z.string().check(z.regex(/^[1-9]\d{15,37}$/)),
]);

/** What the event of a monitor has beside the effect. The intent is absent where a late entry made the difference. */
function crossed(effect: z.ZodMiniObject) {
  return {
    effect,
    balance: z.looseObject({
      wallet: z.string(),
      symbol: z.string(),
      threshold: z.int(),
      direction: z.enum(['below', 'above']),
      available: z.union([z.int(), z.string().check(z.regex(/^-?[1-9]\d{15,37}$/))]),
    }),
    intent: z.exactOptional(z.looseObject({ luid: luidOf('intent'), handle: z.string() })),
  };
}

/** The signals of a kind. An intent is not updated by anyone, but its status is. Ruling 58. */
function signalsOf(kind: Kind): string[] {
  const { updates, drops } = lineOf(kind);
  return [
    `${kind}-created`,
    ...(updates || kind === 'intent' ? [`${kind}-updated`] : []),
    `${kind}-proofs-added`,
    ...(drops ? [`${kind}-dropped`] : []),
  ];
}

/** The shapes of the details of all events, by detail type. */
export const details: ReadonlyMap<string, z.ZodMiniObject> = new Map(
  (Object.keys(kinds) as Kind[]).flatMap((kind) => {
    const record = recordOf(kind);
    const all: (readonly [string, z.ZodMiniObject])[] = signalsOf(kind).map((signal) => [
      signal,
      detailOf(signal, kind, { [kind]: record }),
    ]);
    if (kind === 'effect')
      return [...all, ['balance-crossed', detailOf('balance-crossed', kind, crossed(record))]];
    if (kind !== 'intent') return all;
    const received = {
      wallet: z.union([recordOf('wallet'), z.string()]),
      symbol: z.union([recordOf('symbol'), z.string()]),
      amount: Amount,
    };
    const limited = {
      ...{ wallet: received.wallet, symbol: received.symbol },
      metric: z.enum(['minBalance', 'maxBalance', 'dailyCount', 'dailyAmount']),
      amount: z.int(),
    };
    return [
      ...all,
      ['balance-received', detailOf('balance-received', kind, { intent: record, ...received })],
      ['wallet-limited', detailOf('wallet-limited', kind, { intent: record, ...limited })],
      ...entrySignals.map((signal) => [signal, detailOfEntry(signal)] as const),
    ];
  }),
);

/** One JSON Schema: any detail, and under `$defs` each of them, and the records, by name. */
export function eventSchemas(): object {
  return z.toJSONSchema(z.union([...details.values()]), {
    metadata: names,
    override: ({ jsonSchema }) => {
      delete jsonSchema.id;
      delete jsonSchema.additionalProperties;
      delete jsonSchema.propertyNames;
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
    },
  });
}
