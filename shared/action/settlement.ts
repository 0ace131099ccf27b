/** What becomes of a wish whose signatures are all there. Rulings 42, 43 and 46 to 48. */
import type { Version } from '../ledger/record.ts';
import { type NetMove, settleAsOne, unknownOf } from '../ledger/settle.ts';
import type { Call } from './action.ts';
import type { Opening } from './ports.ts';
import { decidingIn, type Part, routed } from './routed.ts';
import { factsOf, openingsOf, type Scene, settingsIn, type Wish } from './scene.ts';
import { fitsTogether, type Refusal } from './thread.ts';

/** It is refused, or it takes effect as a thread of intents, the first one first. */
export type Settlement =
  | { readonly is: 'refused'; readonly refusal: Refusal }
  | {
      readonly is: 'settled';
      readonly parts: readonly Part[];
      readonly moves: readonly NetMove[];
      /** The wallets whose routes decided, and the bridges that are asked. */
      readonly deciding: readonly Version[];
      /** The balances that move for the first time, and are to be opened before. Decision 12. */
      readonly openings: readonly Opening[];
    };

const tooMany: Refusal = {
  fault: 'core.thread-size-exceeded',
  detail: 'The intent would touch more intents and balances than one transaction takes.',
};

/** Settles a wish at a moment. */
export async function settlementOf(
  call: Call,
  scene: Scene,
  wish: Wish,
  moment: string,
): Promise<Settlement> {
  const { claims } = wish;
  const unknown = unknownOf(factsOf(scene, claims, moment), claims);
  if (unknown) return { is: 'refused', refusal: unknown };
  const routing = await routed(call, scene, wish);
  if (routing.is === 'refused') return { is: 'refused', refusal: routing };
  const parts = routing.thread;
  const facts = factsOf(scene, claims, moment);
  const { outcome, moves } = settleAsOne(facts, parts, settingsIn(scene, claims));
  if (!outcome.settles) return { is: 'refused', refusal: explained(outcome, parts) };
  const deciding = decidingIn(scene, parts);
  if (!fitsTogether(parts.length, moves.length + deciding.length))
    return { is: 'refused', refusal: tooMany };
  const openings = openingsOf(call, scene, moves);
  return { is: 'settled', parts, moves, deciding, openings };
}

/** The refusal, with the bridges that would have made up for what a wallet lacks if somebody had answered for them. */
function explained(refusal: Refusal, parts: readonly Part[]): Refusal {
  if (refusal.fault !== 'core.insufficient-balance') return refusal;
  const debits = parts.flatMap(({ entries }) => entries.filter(({ amount }) => amount < 0n));
  const bridges = debits.flatMap(({ bridge, isUnvouched }) => (isUnvouched ? (bridge ?? []) : []));
  const why = [...new Set(bridges)].map(
    (bridge) => ` Bridge ${bridge} is not active: its wallets have no credit.`,
  );
  return { ...refusal, detail: `${refusal.detail}${why.join('')}` };
}
