/** Settlement of an instruction whose signatures are complete. Rulings 42, 43 and 46 to 48. */

import { disclosedTo, type FailureDetail } from '../ledger/disclosure.ts';
import type { Version } from '../ledger/record.ts';
import { type NetMove, settleAsOne, unknownOf } from '../ledger/settle.ts';
import type { Call } from '../port/action.ts';
import type { BalanceOpening } from '../port/ports.ts';
import type { Claim } from '../shape/intent.ts';
import {
  factsOf,
  type Instruction,
  type IntentContext,
  openingsOf,
  readWhole,
  settingsIn,
} from './context.ts';
import { frozenSymbolIn } from './frozen.ts';
import { type Reversal, reversalIn } from './reversal.ts';
import { decidingIn, routed, type ThreadPart } from './routed.ts';
import { stepFitsTransaction, type ThreadFailure } from './thread.ts';
import { areEnough } from './whole.ts';

/** Either a failure reason, or the thread of intents, the signed one first. */
export type ThreadSettlement =
  | { readonly is: 'refused'; readonly failure: ThreadFailure }
  | {
      readonly is: 'settled';
      readonly parts: readonly ThreadPart[];
      /** The reversal that it makes. */
      readonly reversal?: Reversal | undefined;
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

/** The thread of an instruction, before it is settled. */
export type RoutedInstruction =
  | (ThreadSettlement & { readonly is: 'refused' })
  | {
      readonly is: 'routed';
      readonly parts: readonly ThreadPart[];
      readonly reversal?: Reversal | undefined;
    };

/** Settles an instruction at a moment. */
export async function settlementOf(
  call: Call,
  context: IntentContext,
  instruction: Instruction,
  moment: string,
): Promise<ThreadSettlement> {
  const { claims } = instruction;
  const routing = await routedInstruction(call, context, instruction, moment);
  if (routing.is === 'refused') return routing;
  const { parts, reversal } = routing;
  const settled = () =>
    settleAsOne(factsOf(context, claims, moment), parts, settingsIn(context, claims));
  let found = settled();
  if (!areEnough(context.balances, found)) {
    await readWhole(call, context, () => areEnough(context.balances, settled()));
    found = settled();
  }
  const { outcome, moves } = found;
  if (!outcome.settles) return refusedFor(outcome, claims, parts);
  const deciding = decidingIn(context, parts);
  // The undone intent is written as well.
  const written = parts.length + (reversal ? 1 : 0);
  if (!stepFitsTransaction(written, moves.length + deciding.length))
    return { is: 'refused', failure: tooMany };
  const openings = openingsOf(call, context, moves);
  return { is: 'settled', parts, reversal, moves, deciding, openings };
}

/** Routes an instruction, or finds that it names something unknown, undoes too much or cannot be routed. */
export async function routedInstruction(
  call: Call,
  context: IntentContext,
  instruction: Instruction,
  moment: string,
): Promise<RoutedInstruction> {
  const { claims } = instruction;
  const unknown = unknownOf(factsOf(context, claims, moment), claims);
  const failure = unknown ?? frozenSymbolIn(context, claims);
  if (failure) return { is: 'refused', failure };
  const check = reversalIn(context, instruction);
  if (check.is === 'refused') return check;
  const routing = await routed(call, context, instruction);
  if (routing.is === 'refused') return { is: 'refused', failure: disclosedTo(routing, claims) };
  return { is: 'routed', parts: routing.thread, reversal: check.reversal };
}

/** The failure of a thread that cannot be settled, as the author of its claims may know it. */
export function refusedFor(
  why: FailureDetail,
  claims: readonly Claim[],
  parts: readonly ThreadPart[],
): ThreadSettlement & { readonly is: 'refused' } {
  const failure = disclosedTo(withBridgeCredit(why, parts), claims, parts[0]?.entries);
  return { is: 'refused', failure };
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
