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

/** The detail of an event: a `LedgerEvent`. */
function detailOf(
  signal: string,
  kind: Kind,
  record: z.ZodMiniObject,
  more: z.core.$ZodShape = {},
) {
  const data = z.looseObject({
    handle: z.string().check(z.regex(/^evt_[-\w]{17}$/)),
    signal: z.literal(signal),
    change: z.int().check(z.positive()),
    moment: Moment,
    [kind]: record,
    ...more,
  });
  return z
    .looseObject({ ledger: z.string(), luid: luidOf(kind), data })
    .register(names, { id: signal, description: `The detail of an event of type ${signal}.` });
}

/** Beyond 2^53 an amount is its digits. */
const Amount = z.union([
  z.int().check(z.positive()),
  z.string().check(z.regex(/^[1-9]\d{15,37}$/)),
]);

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
    const all: [string, z.ZodMiniObject][] = signalsOf(kind).map((signal) => [
      signal,
      detailOf(signal, kind, record),
    ]);
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
      ['balance-received', detailOf('balance-received', kind, record, received)],
      ['wallet-limited', detailOf('wallet-limited', kind, record, limited)],
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
