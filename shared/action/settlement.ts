/** What becomes of a wish whose signatures are all there. Rulings 42, 43 and 46 to 48. */
import { type NetMove, settleAsOne } from '../ledger/settle.ts';
import type { Call } from './action.ts';
import { factsOf, openingsOf, type Part, routed, type Scene, type Wish } from './scene.ts';
import { fitsTogether, type Refusal } from './thread.ts';

/** It is refused, or it takes effect as a thread of intents, the first one first. */
export type Settlement =
  | { readonly is: 'refused'; readonly refusal: Refusal }
  | { readonly is: 'settled'; readonly parts: readonly Part[]; readonly moves: readonly NetMove[] };

const tooMany: Refusal = {
  fault: 'core.thread-size-exceeded',
  detail: 'The intent would touch more intents and balances than one transaction takes.',
};

/** Settles a wish, and opens the balances that move; undefined when what it names has changed meanwhile. */
export async function settlementOf(
  call: Call,
  scene: Scene,
  wish: Wish,
): Promise<Settlement | undefined> {
  const { claims } = wish;
  const unknown = settleAsOne(factsOf(scene, claims), [{ claims, entries: [] }]);
  if (!unknown.outcome.settles) return { is: 'refused', refusal: unknown.outcome };
  const routing = await routed(call, scene, wish);
  if (routing.is === 'refused') return { is: 'refused', refusal: routing };
  const parts = routing.thread;
  // All that is named is there: what is left to judge are the entries.
  const all = parts.map(({ entries }) => ({ claims: [], entries }));
  const { outcome, moves } = settleAsOne(factsOf(scene, claims), all);
  if (!outcome.settles) return { is: 'refused', refusal: outcome };
  if (!fitsTogether(parts.length, moves.length)) return { is: 'refused', refusal: tooMany };
  const openings = openingsOf(call, scene, moves);
  const isOpen = openings.length === 0 || (await call.services.store.open(openings));
  return isOpen ? { is: 'settled', parts, moves } : undefined;
}
