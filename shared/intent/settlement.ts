/** Settlement of an instruction whose signatures are complete. Rulings 42, 43 and 46 to 48. */

import { disclosedTo, type FailureDetail } from '../ledger/disclosure.ts';
import type { Version } from '../ledger/record.ts';
import { type NetMove, settleAsOne, unknownOf } from '../ledger/settle.ts';
import type { Call } from '../port/action.ts';
import type { BalanceOpening } from '../port/ports.ts';
import {
  factsOf,
  type Instruction,
  type IntentContext,
  openingsOf,
  settingsIn,
} from './context.ts';
import { frozenSymbolIn, watchedIn } from './frozen.ts';
import { decidingIn, routed, type ThreadPart } from './routed.ts';
import { fitsTogether, type ThreadFailure } from './thread.ts';

/** Either a failure reason, or the thread of intents, the signed one first. */
export type ThreadSettlement =
  | { readonly is: 'refused'; readonly failure: ThreadFailure }
  | {
      readonly is: 'settled';
      readonly parts: readonly ThreadPart[];
      readonly moves: readonly NetMove[];
      /** The versions that the commit depends on. */
      readonly deciding: readonly Version[];
      /** Balances to open before the commit. Decision 12. */
      readonly openings: readonly BalanceOpening[];
    };

const tooMany: ThreadFailure = {
  reason: 'core.thread-size-exceeded',
  detail: 'The intent would touch more intents and balances than one transaction takes.',
};

/** Settles an instruction at a moment. */
export async function settlementOf(
  call: Call,
  context: IntentContext,
  instruction: Instruction,
  moment: string,
): Promise<ThreadSettlement> {
  const { claims } = instruction;
  const unknown = unknownOf(factsOf(context, claims, moment), claims);
  if (unknown) return { is: 'refused', failure: unknown };
  const frozen = frozenSymbolIn(context, claims);
  if (frozen) return { is: 'refused', failure: frozen };
  const routing = await routed(call, context, instruction);
  if (routing.is === 'refused') return { is: 'refused', failure: disclosedTo(routing, claims) };
  const parts = routing.thread;
  const facts = factsOf(context, claims, moment);
  const { outcome, moves } = settleAsOne(facts, parts, settingsIn(context, claims));
  if (!outcome.settles) {
    const failure = disclosedTo(withBridgeCredit(outcome, parts), claims, parts[0]?.entries);
    return { is: 'refused', failure };
  }
  const deciding = distinctVersions([...decidingIn(context, parts), ...watchedIn(context, moves)]);
  if (!fitsTogether(parts.length, moves.length + deciding.length))
    return { is: 'refused', failure: tooMany };
  const openings = openingsOf(call, context, moves);
  return { is: 'settled', parts, moves, deciding, openings };
}

/** Each version once: no item has two conditions. */
function distinctVersions(versions: readonly Version[]): Version[] {
  return [...new Map(versions.map((version) => [version.record.luid, version])).values()];
}

/** Adds to the failure reason that the bridge of the wallet is inactive and so gives no credit. */
function withBridgeCredit(why: FailureDetail, parts: readonly ThreadPart[]): FailureDetail {
  const { reason, disclosures = [] } = why;
  if (reason !== 'core.insufficient-balance') return why;
  const isAtBridge = (wallet: string): boolean =>
    parts.some(({ entries }) =>
      entries.some(
        ({ holder, isUnvouched }) => isUnvouched && holder !== 'supply' && holder.wallet === wallet,
      ),
    );
  const more = ' Its bridge is not active: it has no credit.';
  return {
    ...why,
    disclosures: disclosures.map((one) =>
      one.wallets.some(isAtBridge) ? { ...one, detail: `${one.detail}${more}` } : one,
    ),
  };
}
