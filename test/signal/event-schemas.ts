/**
 * What the details of events look like, as JSON Schema for whoever hears them: made from the kinds and
 * the shapes of their data. Members may be added to any object, so that none of them is closed.
 */
import * as z from 'zod/mini';
import { type Kind, lineOf } from '../../shared/ledger/kind.ts';
import {
  bridgeEntryShape,
  EntryNewsList,
  type EventShape,
  eventMembers,
  eventShapes,
} from '../../shared/reference/event-shapes.ts';
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

const parts = { recordOf, Proof };
const Entry = bridgeEntryShape(parts).register(names, {
  id: 'bridge-entry',
  description: 'An entry that a bridge is asked for.',
});

/** The detail of an event: a `LedgerEvent`. */
function detailOf(signal: string, { kind, members }: EventShape): z.ZodMiniObject {
  const { handle, change, moment } = eventMembers;
  const data = z.looseObject({ handle, signal: z.literal(signal), change, moment, ...members });
  const isChangeOfIntent = signal.startsWith('intent-');
  const entries = isChangeOfIntent ? { entries: z.exactOptional(EntryNewsList) } : {};
  return z
    .looseObject({ ledger: z.string(), luid: luidOf(kind), data, ...entries })
    .register(names, { id: signal, description: `The detail of an event of type ${signal}.` });
}

const shapes = eventShapes(parts, Entry);

/** The names of the members beside those of every event, by detail type. */
export const membersOf: ReadonlyMap<string, readonly string[]> = new Map(
  [...shapes].map(([signal, { members }]) => [signal, Object.keys(members)]),
);

/** The shapes of the details of all events, by detail type. */
export const details: ReadonlyMap<string, z.ZodMiniObject> = new Map(
  [...shapes].map(([signal, shape]) => [signal, detailOf(signal, shape)]),
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
