/** What the service answers beside its records, each in the envelope of the interface. Decision 30. */
import * as z from 'zod';
import { Custom, Hex64, SentProof } from '../shape/proof.ts';
import { AddressHandle } from '../shape/record.ts';
import { reasons } from './refusal.ts';

export const Moment = z.iso.datetime();
export const Luid = (prefix: string) => z.string().regex(new RegExp(`^\\$${prefix}\\.[-\\w]{17}$`));
export const Text = z.string();
const Count = z.int().min(0);
/** An integer literal of up to 38 digits, beyond what a double holds. Ruling 39. */
export const Amount = z.number();

/** The members of a proof as it is answered. Ruling 9. */
export const Proof = z.object({
  ...SentProof.shape,
  signer: Text.exactOptional(),
  origin: z.literal('key-pair').exactOptional(),
});
export const proofs = z.array(Proof);

export const Page = z.object({ index: Count, limit: z.int().min(1) });
export const CountedPage = Page.extend({ total: Count });

export const ErrorAnswer = z.object({
  hash: Hex64.exactOptional(),
  data: z.object({ reason: z.enum(reasons), detail: Text, custom: Custom.exactOptional() }),
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
    effect: Text.exactOptional(),
    bridge: Text.exactOptional(),
    entry: Text.exactOptional(),
    action: z.enum(['prepare', 'commit', 'abort', 'status']).exactOptional(),
    record: z.object({
      luid: Luid('int').exactOptional(),
      hash: Hex64,
      data: z.looseObject({ handle: Text, signal: Text.exactOptional() }),
      meta: z.looseObject({ proofs, moment: Moment.exactOptional() }),
    }),
    linked: Text,
  }),
  meta: z.object({
    proofs,
    status: z.enum(['pending', 'running', 'delivered', 'failed', 'cancelled']),
    moment: Moment,
    replay: Count,
    output: Custom.exactOptional(),
  }),
});

/** The answer of an access check: one item for each rule that grants what was asked. Ruling 35. */
export const Permission = z.object({
  hash: Hex64,
  data: z.object({
    record: Text,
    action: Text,
    invoke: Text.exactOptional(),
    filter: Custom.exactOptional(),
    change: Custom.exactOptional(),
  }),
  meta: z.object({ proofs }),
});
export const Permissions = z.object({
  hash: Hex64,
  data: z.array(Permission),
  meta: z.object({ proofs }),
});

/** A list is hashed and signed as a whole. Interface, response envelopes. */
export const listOf = (item: z.ZodObject) =>
  z.object({ hash: Hex64, data: z.array(item), page: Page, meta: z.object({ proofs }) });
export const countedListOf = (item: z.ZodObject, more: z.ZodRawShape = {}) =>
  z.object({
    hash: Hex64,
    data: z.array(item),
    page: CountedPage,
    meta: z.object({ proofs, ...more }),
  });
