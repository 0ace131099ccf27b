/**
 * The shapes of what the ledger sends: the data of events by signal, and the bodies of calls to bridges. They are made
 * with the record shapes of whoever describes them: the OpenAPI document, and the schema of events on the bus.
 */
import * as z from 'zod/mini';
import { type Kind, kinds } from '../ledger/kind.ts';
import { Custom, Hex64 } from '../shape/proof.ts';
import { Moment } from '../shape/record.ts';
import { entrySignals, monitorSignal, signalsOf } from '../shape/signal-name.ts';
import { typeNameOf } from './operation.ts';

/** The shapes that events are made of. */
export interface EventParts {
  /** A record of the kind, the same shape at each call. */
  readonly recordOf: (kind: Kind) => z.ZodMiniType;
  readonly Proof: z.ZodMiniType;
}

/** The data of the event of one signal. */
export interface EventShape {
  /** The name of the events that are alike: `Wallet`, `BalanceReceived`. */
  readonly family: string;
  /** The kind of the record whose luid the event has on the bus. */
  readonly kind: Kind;
  /** The members beside `handle`, `signal`, `change` and `moment`. */
  readonly members: Readonly<Record<string, z.ZodMiniType>>;
}

const EntryHandle = z.string().check(z.regex(/^(deb|cre)_[-\w]{17}$/));
/** The statuses of an entry at a bridge. Ruling 78. */
const EntryStatus = z.enum([
  'pending',
  'prepared',
  'failed',
  'committing',
  'aborting',
  'committed',
  'aborted',
]);
const Address = z.object({ handle: z.string(), custom: z.exactOptional(Custom) });

/** Beyond 2^53 an amount is its digits. */
const SentAmount = z.union([
  z.int().check(z.positive()),
  z.string().check(z.regex(/^[1-9]\d{15,37}$/)),
]);
const AvailableAmount = z.union([z.int(), z.string().check(z.regex(/^-?[1-9]\d{15,37}$/))]);

/** The members of every event. */
export const eventMembers = {
  handle: z.string().check(z.regex(/^evt_[-\w]{17}$/)),
  change: z.int().check(z.positive()),
  moment: Moment,
};

/** The news of its entries at bridges that an event of an intent has on the bus. */
export const EntryNewsList = z.array(
  z.looseObject({
    signal: z.literal([...entrySignals]),
    entry: EntryHandle,
    bridge: z.string(),
    intent: z.exactOptional(z.string()),
    change: z.int().check(z.positive()),
    status: EntryStatus,
  }),
);

/** The data by which a bridge is asked to prepare an entry. Ruling 54. */
export function preparationShape({ recordOf }: EventParts) {
  return z.object({
    handle: EntryHandle,
    luid: z.string().check(z.regex(/^\$ben\.[-\w]{17}$/)),
    schema: z.enum(['debit', 'credit']),
    amount: z.int().check(z.positive()),
    symbol: z.object({ handle: z.string() }),
    source: z.exactOptional(Address),
    target: z.exactOptional(Address),
    custom: z.exactOptional(Custom),
    inputs: z.array(z.int()),
    intent: recordOf('intent'),
  });
}

/** The data by which a bridge is asked to commit or abort an entry. Ruling 54. */
export function decisionShape({ recordOf }: EventParts) {
  return z.object({
    handle: EntryHandle,
    action: z.enum(['commit', 'abort']),
    intent: recordOf('intent'),
  });
}

/** An entry at a bridge, as its events have it. Ruling 78. */
export function bridgeEntryShape(parts: EventParts) {
  return z.object({
    luid: z.string().check(z.regex(/^\$ben\.[-\w]{17}$/)),
    hash: Hex64,
    data: z.extend(preparationShape(parts), { bridge: z.object({ handle: z.string() }) }),
    meta: z.object({
      proofs: z.array(parts.Proof),
      status: EntryStatus,
      moment: Moment,
      domain: z.exactOptional(z.string()),
    }),
  });
}

/** The events of all signals that can come; `Entry` is the shape of entries at bridges. Rulings 58, 78 and 95. */
export function eventShapes(
  parts: EventParts,
  Entry: z.ZodMiniType,
): ReadonlyMap<string, EventShape> {
  const { recordOf, Proof } = parts;
  const ofKinds = (Object.keys(kinds) as Kind[]).flatMap((kind) =>
    signalsOf(kind).map((signal) => {
      const members = { [kind]: recordOf(kind) };
      return [signal, { family: typeNameOf(kind), kind, members }] as const;
    }),
  );
  const ofEntries = entrySignals.map((signal) => {
    const proof = signal === 'bridge-entry-proofs-added' ? { proof: Proof } : {};
    const members = { 'bridge-entry': Entry, ...proof };
    return [signal, { family: 'BridgeEntry', kind: 'intent', members }] as const;
  });
  return new Map<string, EventShape>([...ofKinds, ...ofEntries, ...ofBalances(parts)]);
}

/** The events of balances and limits. */
function ofBalances({ recordOf }: EventParts): (readonly [string, EventShape])[] {
  // A record that is gone, or would make the event too large, is named by its handle.
  const named = (kind: Kind) => z.union([recordOf(kind), z.string()]);
  const names = { intent: recordOf('intent'), wallet: named('wallet'), symbol: named('symbol') };
  const metric = z.enum(['minBalance', 'maxBalance', 'dailyCount', 'dailyAmount']);
  const balance = z.object({
    wallet: z.string(),
    symbol: z.string(),
    threshold: z.int(),
    direction: z.enum(['below', 'above']),
    available: AvailableAmount,
  });
  // Absent where an entry that was stored late made the difference.
  const intent = z.exactOptional(
    z.object({
      luid: z.string().check(z.regex(/^\$int\.[-\w]{17}$/)),
      handle: z.string(),
    }),
  );
  const crossed = { effect: recordOf('effect'), balance, intent };
  const received = { ...names, amount: SentAmount };
  const limited = { ...names, metric, amount: z.int() };
  return [
    ['balance-received', { family: 'BalanceReceived', kind: 'intent', members: received }],
    ['wallet-limited', { family: 'WalletLimited', kind: 'intent', members: limited }],
    [monitorSignal, { family: 'BalanceCrossed', kind: 'effect', members: crossed }],
  ];
}

/** The members that the events of a family have beside those of every event. */
export interface FamilyShape {
  readonly signals: readonly string[];
  readonly data: z.ZodMiniObject;
}

/** The events by family: a member that not all of its signals have is optional. */
export function familyShapes(
  parts: EventParts,
  Entry: z.ZodMiniType,
): ReadonlyMap<string, FamilyShape> {
  const all = [...eventShapes(parts, Entry)];
  const families = [...new Set(all.map(([, { family }]) => family))];
  return new Map(
    families.map((family) => {
      const own = all.filter(([, shape]) => shape.family === family);
      return [family, familyShapeOf(own)] as const;
    }),
  );
}

function familyShapeOf(
  own: readonly (readonly [signal: string, shape: EventShape])[],
): FamilyShape {
  const signals = own.map(([signal]) => signal);
  const members = new Map(own.flatMap(([, shape]) => Object.entries(shape.members)));
  const entries = [...members].map(([name, member]) => {
    const isInAll = own.every(([, shape]) => Object.hasOwn(shape.members, name));
    return [name, isInAll ? member : z.exactOptional(member)] as const;
  });
  return { signals, data: z.object({ signal: z.enum(signals), ...Object.fromEntries(entries) }) };
}
