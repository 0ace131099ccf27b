/** Shapes of the answers that are not records: lists, balances, limits, deliveries, errors and status. Decision 30. */
import * as z from 'zod/mini';
import { requirements } from '../ledger/access.ts';
import { bookSchemas } from '../ledger/book.ts';
import { places } from '../ledger/rule-source.ts';
import { Custom, Hex64, SentProof } from '../shape/proof.ts';
import { AddressHandle, Moment } from '../shape/record.ts';
import { reasons } from './errors.ts';

export const Luid = (prefix: string) =>
  z.string().check(z.regex(new RegExp(`^\\$${prefix}\\.[-\\w]{17}$`)));
export const Text = z.string();
const Count = z.int().check(z.minimum(0));
/** An integer literal of up to 38 digits, which a double cannot hold. Ruling 39. */
export const Amount = z.number();

/** A proof in an answer. Ruling 9. */
export const Proof = z.object({
  ...SentProof.shape,
  signer: z.exactOptional(Text),
  origin: z.exactOptional(z.literal('key-pair')),
});
export const proofs = z.array(Proof);

/** Ruling 99. */
export const SignerKey = z.object({
  public: Text,
  from: Moment,
  until: z.exactOptional(Moment),
  size: z.exactOptional(Count),
  compromised: z.exactOptional(Moment),
  proofs: z.exactOptional(proofs),
});

export const Page = z.object({
  index: Count,
  limit: z.int().check(z.minimum(1)),
  /** The cursor of the next page. */
  next: z.exactOptional(z.string()),
});
export const CountedPage = z.extend(Page, { total: Count });

export const ErrorAnswer = z.object({
  hash: z.exactOptional(Hex64),
  data: z.object({ reason: z.enum(reasons), detail: Text, custom: z.exactOptional(Custom) }),
  meta: z.object({ proofs }),
});

export const StatusAnswer = z.object({
  hash: Hex64,
  data: z.object({
    handle: Text,
    ledger: Text,
    server: Text,
    semver: Text,
    status: z.enum(['UP', 'DOWN']),
    uptime: Count,
    dependencies: z.object({ db: z.enum(['CONNECTED', 'ERROR']) }),
  }),
  meta: z.object({ proofs }),
});

const Backlog = {
  oldestSeconds: z.exactOptional(Count),
  isPartial: z.exactOptional(z.literal(true)),
};
const DueWork = z.object({ due: Count, waiting: Count, ...Backlog });

/** Ruling 96. */
export const HealthAnswer = z.object({
  hash: Hex64,
  data: z.object({
    handle: Text,
    ledger: Text,
    server: Text,
    semver: Text,
    status: z.enum(['UP', 'DEGRADED', 'DOWN']),
    dependencies: z.object({ db: z.enum(['CONNECTED', 'ERROR']) }),
    backlogs: z.exactOptional(
      z.object({
        outbox: z.object({ count: Count, ...Backlog }),
        deliveries: DueWork,
        intents: DueWork,
        reports: DueWork,
        witnesses: z.exactOptional(DueWork),
      }),
    ),
    audit: z.exactOptional(
      z.object({
        moment: Moment,
        findings: Count,
        isPartial: z.exactOptional(z.literal(true)),
        records: Count,
        proofs: Count,
        semver: Text,
      }),
    ),
  }),
  meta: z.object({ proofs }),
});

/** Ruling 40. */
export const Balance = z.object({
  luid: Luid('bal'),
  hash: Hex64,
  data: z.object({
    wallet: AddressHandle,
    symbol: AddressHandle,
    schema: z.enum(['available', 'reserved']),
    amount: Amount,
  }),
  meta: z.object({ proofs, moment: Moment }),
});

const IntentName = z.object({ handle: AddressHandle, luid: Luid('int') });

/** Ruling 82. */
export const Entry = z.object({
  hash: Hex64,
  data: z.object({
    handle: z.exactOptional(Text),
    wallet: AddressHandle,
    symbol: AddressHandle,
    schema: z.enum(bookSchemas),
    amount: Amount,
    balance: Amount,
    reserved: z.exactOptional(Amount),
    moment: Moment,
    intent: IntentName,
    inputs: z.array(Count),
    counterparty: z.exactOptional(AddressHandle),
  }),
  meta: z.object({ proofs, moment: Moment }),
});

/** Ruling 82. */
export const EntryBalance = z.object({
  hash: Hex64,
  data: z.object({
    wallet: AddressHandle,
    symbol: AddressHandle,
    schema: z.enum(['opening', 'closing']),
    balance: Amount,
    reserved: Amount,
    available: Amount,
    moment: Moment,
  }),
  meta: z.object({ proofs, moment: Moment }),
});

/** Ruling 85. */
export const Sum = z.object({
  hash: Hex64,
  data: z.object({
    symbol: AddressHandle,
    of: z.enum(['supply', 'wallets', 'dropped-wallets']),
    domain: z.exactOptional(Text),
    schema: z.exactOptional(Text),
    wallets: z.exactOptional(Count),
    debits: Amount,
    credits: Amount,
    balance: Amount,
    reserved: Amount,
  }),
  meta: z.object({ proofs, moment: Moment }),
});

/** Ruling 86. */
export const Supply = z.object({
  hash: Hex64,
  data: z.object({
    symbol: AddressHandle,
    issued: Amount,
    destroyed: Amount,
    outstanding: Amount,
    reserved: z.exactOptional(Amount),
    atBridges: z.exactOptional(Amount),
  }),
  meta: z.object({ proofs, moment: Moment }),
});

const Base64 = z.string().check(z.regex(/^[A-Za-z0-9+/]+={0,2}$/));
const path = z.array(Base64).check(z.describe('The hashes of the path, in base64, from below.'));

/** The leaf of a change. Ruling 97. */
const Leaf = z.object({
  luid: Text,
  change: z.int().check(z.minimum(1)),
  hash: Text,
  moment: Moment,
  proofs: Hex64,
});

/** Ruling 97. */
export const LogProof = z.object({
  hash: Hex64,
  data: z.object({ leaf: Leaf, index: Count, size: Count, path, checkpoint: Text }),
  meta: z.object({ proofs }),
});

/** Ruling 97. */
export const LogConsistency = z.object({
  hash: Hex64,
  data: z.object({ from: Count, to: Count, path }),
  meta: z.object({ proofs }),
});

/**
 * A change with all that proves it. The members of the three records are those of their kinds; a verifier looks at all of
 * them. Ruling 98.
 */
const SignedRecord = z.looseObject({
  luid: Text,
  hash: Text,
  data: z.looseObject({ handle: Text }),
});
export const Receipt = z.object({
  hash: Hex64,
  data: z.object({
    ledger: Text,
    record: SignedRecord.check(z.describe('The record as it stood after the change.')),
    proof: Text.check(
      z.describe('The proof that the log has the change, with the checkpoint (C2SP tlog-proof).'),
    ),
    signers: z
      .object({ system: SignedRecord, log: SignedRecord })
      .check(z.describe('The signers of the ledger and of its log, with their keys.')),
  }),
  meta: z.object({ proofs }),
});

/** Ruling 41. */
export const Limit = z.object({
  luid: Luid('lmt'),
  hash: Hex64,
  data: z.object({
    wallet: AddressHandle,
    symbol: AddressHandle,
    metric: z.enum(['minBalance', 'maxBalance', 'dailyCount', 'dailyAmount']),
    amount: z.int(),
  }),
  meta: z.object({ proofs, status: z.literal('created'), moment: Moment }),
});

/** Ruling 60. */
export const Delivery = z.object({
  luid: Luid('evd'),
  hash: Hex64,
  data: z.object({
    handle: Text,
    effect: z.exactOptional(Text),
    bridge: z.exactOptional(Text),
    entry: z.exactOptional(Text),
    action: z.exactOptional(z.enum(['prepare', 'commit', 'abort', 'status'])),
    record: z.object({
      luid: z.exactOptional(Luid('int')),
      hash: Hex64,
      data: z.looseObject({ handle: Text, signal: z.exactOptional(Text) }),
      meta: z.looseObject({ proofs, moment: z.exactOptional(Moment) }),
    }),
    linked: Text,
  }),
  meta: z.object({
    proofs,
    status: z.enum(['pending', 'running', 'delivered', 'failed', 'cancelled']),
    moment: Moment,
    replay: Count,
    output: z.exactOptional(Custom),
  }),
});

/** A name, or a list of names. Ruling 73. */
const OneOf = z.union([Text, z.object({ $in: z.array(Text) })]);

/** An item of the answer to an access check: a rule that grants the required permission, or that does not. Ruling 35. */
export const Permission = z.object({
  hash: Hex64,
  data: z.object({
    record: OneOf,
    action: OneOf,
    invoke: z.exactOptional(Text),
    filter: z.exactOptional(Custom),
    change: z.exactOptional(Custom),
    missing: z.exactOptional(z.enum(requirements)),
    source: z.exactOptional(z.object({ place: z.enum(places), handle: z.exactOptional(Text) })),
    signer: z.exactOptional(Custom),
    bearer: z.exactOptional(Custom),
  }),
  meta: z.object({ proofs }),
});
export const Permissions = z.object({
  hash: Hex64,
  data: z.array(Permission),
  meta: z.object({ proofs }),
});

/** An entry of a preview: its handle is given by the create. */
const previewedEntries = z
  .array(
    z.object({
      schema: z.enum(['debit', 'credit']),
      wallet: AddressHandle,
      symbol: AddressHandle,
      amount: z.int().check(z.minimum(1)),
      inputs: z.array(Count).check(z.describe('Indexes of the claims that it comes from.')),
      bridge: z.exactOptional(AddressHandle),
    }),
  )
  .check(z.describe('The debits and credits, as they would be resolved.'));

/** The answer of a preview. Ruling 91. */
export const Preview = z.object({
  hash: Hex64,
  data: z.object({
    handle: AddressHandle,
    status: Text,
    statuses: z.array(Text).check(z.describe('The statuses that it would pass at once, in order.')),
    entries: previewedEntries,
    balances: z
      .array(
        z.object({
          wallet: AddressHandle,
          symbol: AddressHandle,
          schema: z.enum(['available', 'reserved']),
          amount: Amount,
        }),
      )
      .check(
        z.describe(
          'The balances that would change, as they would be then, where the caller may read them.',
        ),
      ),
    forwarded: z.exactOptional(
      z
        .array(z.object({ claims: z.array(z.unknown()), entries: previewedEntries }))
        .check(z.describe('The intents that routes would add to the thread.')),
    ),
    reason: z.exactOptional(Text),
    detail: z.exactOptional(Text),
    missing: z.exactOptional(
      z
        .array(
          z.object({
            action: z.enum(['issue', 'spend', 'destroy', 'limit']),
            record: z.enum(['symbol', 'wallet']),
            handle: AddressHandle,
            claims: z.array(Count).check(z.describe('Indexes of the claims that need it.')),
          }),
        )
        .check(
          z.describe('The rights that no signer of the body has; the intent would wait for them.'),
        ),
    ),
    needsQuorum: z.exactOptional(
      z
        .literal(true)
        .check(z.describe('A policy requires more signers than the body has (Ruling 93).')),
    ),
  }),
  meta: z.object({ proofs }),
});

/** A list is hashed and signed as a whole. */
export const listOf = (item: z.ZodMiniObject) =>
  z.object({ hash: Hex64, data: z.array(item), page: Page, meta: z.object({ proofs }) });
export const countedListOf = (item: z.ZodMiniObject, more: z.core.$ZodShape = {}) =>
  z.object({
    hash: Hex64,
    data: z.array(item),
    page: CountedPage,
    meta: z.object({ proofs, ...more }),
  });

/** Entries, between the balances before and after all of them. Ruling 82. */
export const EntryList = z.object({
  hash: Hex64,
  data: z.array(Entry),
  page: Page,
  meta: z.object({ proofs, opening: EntryBalance, closing: EntryBalance }),
});
