/** The named checks of rules: what somebody may do with other records decides. Ruling 33. */
import { handleOf } from '../ledger/address.ts';
import type { LedgerRecord } from '../ledger/record.ts';
import type { Call } from '../port/action.ts';
import type { Asked } from '../port/asked.ts';
import { readerFor } from '../record/reader.ts';
import type { IntentData } from '../shape/intent.ts';
import type { SignedBody } from '../shape/record.ts';
import { changedTargets, walletsMeant } from './addressed.ts';

/** Whether what is asked is granted: the rules themselves, asked again. */
type Judge = (call: Call, asked: Asked) => Promise<boolean>;

/** Whether a check passes for the record that is asked about. */
type Check = (call: Call, asked: Asked, judge: Judge) => Promise<boolean>;

const checks: Readonly<Record<string, Check>> = {
  'wallet.canSpendAllChangedRouteTargets': canSpendTargets,
  'intent.canReadAnyClaimWallet': (...all) => onWallets(...all, 'read', 'some'),
  'intent.canReadAnyClaimWalletInThread': (...all) => onThread(...all, 'read'),
  'intent.canSpendAnyClaimWallet': (...all) => onWallets(...all, 'spend', 'some'),
  'intent.canSpendAnyClaimWalletInThread': (...all) => onThread(...all, 'spend'),
  'intent.canSpendEveryClaimWallet': (...all) => onWallets(...all, 'spend', 'every'),
};

/** Those of the named checks that pass. */
export async function invokedBy(
  call: Call,
  asked: Asked,
  invokes: ReadonlySet<string>,
  judge: Judge,
): Promise<ReadonlySet<string>> {
  const passing = await Promise.all(
    [...invokes].map(async (name) => ((await checks[name]?.(call, asked, judge)) ? [name] : [])),
  );
  return new Set(passing.flat());
}

/** Whether the caller may spend of each wallet that a new or changed route leads to. */
async function canSpendTargets(
  call: Call,
  { action, record, draft }: Asked,
  judge: Judge,
): Promise<boolean> {
  // Nothing else changes routes; the question whether one may spend does not lead back to here.
  if (action !== 'create' && action !== 'update') return true;
  const { data } = (call.body ?? {}) as Partial<SignedBody>;
  const targets = await changedTargets(call, draft?.data ?? data ?? {}, record?.data);
  const may = await Promise.all(
    targets.map((target) => judge(call, { action: 'spend', kind: 'wallet', record: target })),
  );
  return may.every(Boolean);
}

/** Whether the caller may do something with any of the wallets that the intents of a thread name. Ruling 43. */
async function onThread(
  call: Call,
  asked: Asked,
  judge: Judge,
  action: 'read' | 'spend',
): Promise<boolean> {
  if (await onWallets(call, asked, judge, action, 'some')) return true;
  for (const record of await othersInThread(call, asked.record))
    if (await onWallets(call, { ...asked, record }, judge, action, 'some')) return true;
  return false;
}

/** The other intents of the thread that an intent is in. */
async function othersInThread(
  call: Call,
  record: LedgerRecord | undefined,
): Promise<LedgerRecord[]> {
  const { thread } = record?.meta ?? {};
  if (thread === undefined) return [];
  const reader = readerFor(call);
  const first = await reader.record('intent', thread);
  const handles = (first?.together ?? []).filter((handle) => handle !== record?.data.handle);
  const found = await reader.records('intent', handles);
  return found.flatMap((version) => version?.record ?? []);
}

/** Whether the caller may do something with the wallets that an intent means, by their handles or addresses. */
async function onWallets(
  call: Call,
  { record, draft }: Asked,
  judge: Judge,
  action: 'read' | 'spend',
  quantity: 'some' | 'every',
): Promise<boolean> {
  const claims = ((record ?? draft)?.data as unknown as Partial<IntentData>)?.claims ?? [];
  const named = [...new Set(claims.flatMap(partiesOf))];
  const meant = await walletsMeant(
    call,
    named.map((address) => ({ address, side: 'credit' })),
  );
  const may = await Promise.all(
    meant.map(async (wallet) =>
      wallet ? judge(call, { action, kind: 'wallet', record: wallet }) : false,
    ),
  );
  return quantity === 'every' ? may.length > 0 && may.every(Boolean) : may.some(Boolean);
}

/** The wallets that a claim names. */
function partiesOf(claim: IntentData['claims'][number]): string[] {
  return [
    ...('source' in claim ? [handleOf(claim.source)] : []),
    ...('target' in claim ? [handleOf(claim.target)] : []),
    ...('wallet' in claim ? [handleOf(claim.wallet)] : []),
  ];
}
