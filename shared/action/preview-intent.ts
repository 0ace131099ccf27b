/**
 * Preview of an intent: what its create would do now, by the code of the create itself, up to the commit. Nothing is
 * stored, published or marked as used. Ruling 91, Decision 101.
 */
import { readableOf, withoutHiddenHolder } from '../access/allow.ts';
import { toCreate } from '../access/required-permission.ts';
import { claimsOf, type IntentContext, readWhole } from '../intent/context.ts';
import { haveQuorums, statusesAhead } from '../intent/four-eyes.ts';
import { type MissingRight, missingRights } from '../intent/rights.ts';
import { assert } from '../ledger/assert.ts';
import { balanceKeyOf } from '../ledger/balance.ts';
import { isPending, type ResolvedEntry, resolvedIn } from '../ledger/intent.ts';
import type { LedgerRecord, Version } from '../ledger/record.ts';
import { isPartial } from '../ledger/shards.ts';
import type { Action, Call } from '../port/action.ts';
import type { Balance, Commit, Move } from '../port/ports.ts';
import { draftOf } from '../record/author.ts';
import { signed } from '../record/sign.ts';
import { excessOf } from '../record/size.ts';
import { createBody } from '../shape/body.ts';
import type { Claim } from '../shape/intent.ts';
import { assertIntentBody, decideIntent, type IntentDecision } from './create-intent.ts';
import { withoutWrites } from './without-writes.ts';

/**
 * Answers what a create with the same body would do now. A body without proofs is judged as one that a key of no signer
 * has signed. Errors: those of `createIntent`, except for conflicts with other requests.
 */
export const previewIntent: Action = {
  requires: toCreate('intent'),
  body: createBody('intent'),
  shape: assertIntentBody,
  signed: 'record',
  isTrial: true,
  run: async (call) => {
    const trial = withoutWrites(call);
    const decision = await decideIntent(trial, draftOf(call)).catch(async (error) =>
      Promise.reject(await withoutHiddenHolder(call, 'intent', error)),
    );
    const body = signed(call.ledger, await previewOf(trial, decision), call.services.clock());
    return { status: 200, body };
  },
};

/** An entry as it would be resolved. Its handle would be given by the create. */
type PreviewedEntry = Omit<ResolvedEntry, 'handle'>;

interface PreviewedBalance {
  readonly wallet: string;
  readonly symbol: string;
  readonly schema: 'available' | 'reserved';
  readonly amount: bigint;
}

/** The data of the answer. */
interface Preview {
  readonly handle: string;
  /** The status after the create, and all statuses up to it. */
  readonly status: string;
  readonly statuses: readonly string[];
  readonly entries: readonly PreviewedEntry[];
  /** The balances that it would change, as they would be then; those of wallets that the caller may read. */
  readonly balances: readonly PreviewedBalance[];
  /** The intents that routes would add to its thread, as far as the caller might read them. */
  readonly forwarded?: readonly {
    readonly claims: readonly Claim[];
    readonly entries: readonly PreviewedEntry[];
  }[];
  /** The failure reason, when it would be rejected. */
  readonly reason?: unknown;
  readonly detail?: unknown;
  /** The rights that no signer of the body has, while it would wait for them. */
  readonly missing?: readonly MissingRight[];
  /** True when a policy requires more signers than the body has. */
  readonly needsQuorum?: true;
}

async function previewOf(
  call: Call,
  { context, authored, decided }: IntentDecision,
): Promise<Preview> {
  assert(decided, 'without writes, what was read is what is decided on');
  const { commit, result } = decided;
  const excess = excessOf(commit);
  if (excess) throw excess;
  const { record, steps } = result;
  const missing = isPending(record)
    ? await missingRights(call, context, claimsOf(record.data), authored)
    : [];
  // A caller who lacks a right learns nothing of policies, as from a create.
  const needsQuorum =
    isPending(record) &&
    missing.length === 0 &&
    !(await haveQuorums(call, context, record, statusesAhead(record)));
  const forwarded = await readableOf(call, 'intent', forwardedIn(commit, result));
  return {
    handle: record.data.handle,
    status: record.meta.status,
    statuses: steps.map(({ status }) => status),
    entries: entriesOf(record),
    balances: await balancesAfter(call, context, commit.moves ?? []),
    ...(forwarded.length > 0 && {
      forwarded: forwarded.map((one) => ({ claims: claimsOf(one.data), entries: entriesOf(one) })),
    }),
    ...failureIn(record),
    ...(missing.length > 0 && { missing }),
    ...(needsQuorum && { needsQuorum }),
  };
}

/** The other new intents of its thread. */
function forwardedIn({ writes }: Commit, { record }: Version): LedgerRecord[] {
  return writes
    .filter(({ next, previous }) => !previous && next.record.luid !== record.luid)
    .map(({ next }) => next.record);
}

function entriesOf(record: LedgerRecord): PreviewedEntry[] {
  return resolvedIn(record).map(({ schema, wallet, symbol, amount, inputs, bridge }) => ({
    ...{ schema, wallet, symbol, amount, inputs },
    ...(bridge !== undefined && { bridge }),
  }));
}

function failureIn({ meta }: LedgerRecord): Pick<Preview, 'reason' | 'detail'> {
  const { custom } = meta.proofs.find(isFailure) ?? {};
  return custom ? { reason: custom['reason'], detail: custom['detail'] } : {};
}

/** True for the ledger's statement that the intent fails. */
function isFailure({ origin, custom }: LedgerRecord['meta']['proofs'][number]): boolean {
  return origin === undefined && custom?.['status'] === 'failed';
}

/** The balances after the moves, of the wallets that the caller may read. */
async function balancesAfter(
  call: Call,
  context: IntentContext,
  moves: readonly Move[],
): Promise<PreviewedBalance[]> {
  const names = [...new Set(moves.map(({ wallet }) => wallet))];
  const wallets = names.flatMap((name) => context.wallets.get(name)?.record ?? []);
  const readable = await readableOf(call, 'wallet', wallets);
  const shown = new Set(readable.map(({ data }) => data.handle));
  const own = moves.filter(({ wallet }) => shown.has(wallet));
  // A few shards of a busy balance are enough to settle, and do not tell what it has.
  const areWhole = () => own.every((move) => !isPartial(balanceBefore(context, move)?.shards));
  await readWhole(call, context, areWhole);
  return own.flatMap((move) => rowsAfter(context, move));
}

function balanceBefore({ balances }: IntentContext, { wallet, symbol }: Move): Balance | undefined {
  return balances.get(balanceKeyOf(wallet, symbol));
}

function rowsAfter(context: IntentContext, move: Move): PreviewedBalance[] {
  const { wallet, symbol, amount, reserve = 0n } = move;
  const before = balanceBefore(context, move);
  // A balance that was never moved is hidden, also while it is held or limited. Ruling 40.
  const isMoved = amount !== 0n || reserve !== 0n || !(move.hold || move.limits);
  if (!before?.isActive && !isMoved) return [];
  const reserved = (before?.reserved ?? 0n) + reserve;
  const hasReserved = before?.reserved !== undefined || reserve !== 0n;
  const available = { schema: 'available', amount: (before?.available ?? 0n) + amount } as const;
  return [
    { wallet, symbol, ...available },
    ...(hasReserved ? [{ wallet, symbol, schema: 'reserved', amount: reserved } as const] : []),
  ];
}
