/** The named checks of rules: what somebody may do with other records decides. Ruling 33. */
import { handleOf } from '../ledger/address.ts';
import type { LedgerRecord } from '../ledger/record.ts';
import type { IntentData } from '../shape/intent.ts';
import type { SignedBody } from '../shape/record.ts';
import type { Call } from './action.ts';
import type { Asked } from './asked.ts';
import { changedTargets } from './route-targets.ts';

/** Whether what is asked is granted: the rules themselves, asked again. */
type Judge = (call: Call, asked: Asked) => Promise<boolean>;

/** Whether a check passes for the record that is asked about. */
type Check = (call: Call, asked: Asked, judge: Judge) => Promise<boolean>;

/** Threads are not there yet: an intent is alone in its own. */
const checks: Readonly<Record<string, Check>> = {
  'wallet.canSpendAllChangedRouteTargets': canSpendTargets,
  'intent.canReadAnyClaimWallet': (...all) => onWallets(...all, 'read', 'some'),
  'intent.canReadAnyClaimWalletInThread': (...all) => onWallets(...all, 'read', 'some'),
  'intent.canSpendAnyClaimWallet': (...all) => onWallets(...all, 'spend', 'some'),
  'intent.canSpendAnyClaimWalletInThread': (...all) => onWallets(...all, 'spend', 'some'),
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

/** Whether the caller may do something with the wallets that an intent names. */
async function onWallets(
  call: Call,
  { record, draft }: Asked,
  judge: Judge,
  action: 'read' | 'spend',
  quantity: 'some' | 'every',
): Promise<boolean> {
  const claims = ((record ?? draft)?.data as unknown as Partial<IntentData>)?.claims ?? [];
  const handles = new Set(
    claims.flatMap((claim) => [
      ...('source' in claim ? [handleOf(claim.source)] : []),
      ...('target' in claim ? [handleOf(claim.target)] : []),
      ...('wallet' in claim ? [handleOf(claim.wallet)] : []),
    ]),
  );
  const scope = call.ledger.handle;
  const wants = [...handles].map(
    (handle) => ({ what: 'record', scope, kind: 'wallet', handle }) as const,
  );
  const wallets = (await call.services.store.load(wants)).flatMap((one) => one?.record ?? []);
  const may = await Promise.all(
    wallets.map((wallet: LedgerRecord) => judge(call, { action, kind: 'wallet', record: wallet })),
  );
  return quantity === 'every'
    ? may.length === handles.size && may.every(Boolean)
    : may.some(Boolean);
}
