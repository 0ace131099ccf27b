/** Settlement of an instruction whose signatures are complete. Rulings 42, 43 and 46 to 48. */
import type { Version } from '../ledger/record.ts';
import { type NetMove, settleAsOne, unknownOf } from '../ledger/settle.ts';
import { toldOf, type Why } from '../ledger/telling.ts';
import type { Call } from '../port/action.ts';
import type { Opening } from '../port/ports.ts';
import { decidingIn, type Part, routed } from './routed.ts';
import { factsOf, openingsOf, type Scene, settingsIn, type Wish } from './scene.ts';
import { fitsTogether, type Refusal } from './thread.ts';

/** Either a failure reason, or the thread of intents, the signed one first. */
export type Settlement =
  | { readonly is: 'refused'; readonly refusal: Refusal }
  | {
      readonly is: 'settled';
      readonly parts: readonly Part[];
      readonly moves: readonly NetMove[];
      /** The versions that the commit depends on. */
      readonly deciding: readonly Version[];
      /** Balances to open before the commit. Decision 12. */
      readonly openings: readonly Opening[];
    };

const tooMany: Refusal = {
  fault: 'core.thread-size-exceeded',
  detail: 'The intent would touch more intents and balances than one transaction takes.',
};

/** Settles an instruction at a moment. */
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
  if (routing.is === 'refused') return { is: 'refused', refusal: toldOf(routing, claims) };
  const parts = routing.thread;
  const facts = factsOf(scene, claims, moment);
  const { outcome, moves } = settleAsOne(facts, parts, settingsIn(scene, claims));
  if (!outcome.settles) {
    const refusal = toldOf(withBridgeCredit(outcome, parts), claims, parts[0]?.entries);
    return { is: 'refused', refusal };
  }
  const deciding = decidingIn(scene, parts);
  if (!fitsTogether(parts.length, moves.length + deciding.length))
    return { is: 'refused', refusal: tooMany };
  const openings = openingsOf(call, scene, moves);
  return { is: 'settled', parts, moves, deciding, openings };
}

/** Adds to the failure reason that the bridge of the wallet is inactive and so gives no credit. */
function withBridgeCredit(why: Why, parts: readonly Part[]): Why {
  const { fault, tellings = [] } = why;
  if (fault !== 'core.insufficient-balance') return why;
  const isAtBridge = (wallet: string): boolean =>
    parts.some(({ entries }) =>
      entries.some(
        ({ holder, isUnvouched }) => isUnvouched && holder !== 'supply' && holder.wallet === wallet,
      ),
    );
  const more = ' Its bridge is not active: it has no credit.';
  return {
    ...why,
    tellings: tellings.map((one) =>
      one.wallets.some(isAtBridge) ? { ...one, detail: `${one.detail}${more}` } : one,
    ),
  };
}
