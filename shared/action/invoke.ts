/** The named checks of rules: what somebody may do with other records decides. Ruling 33. */
import { handleOf } from '../ledger/address.ts';
import type { LedgerRecord } from '../ledger/record.ts';
import type { IntentData } from '../shape/intent.ts';
import type { Call } from './action.ts';
import type { Asked } from './asked.ts';

/** Whether what is asked is granted: the rules themselves, asked again. */
type Judge = (call: Call, asked: Asked) => Promise<boolean>;

/** Whether a check passes for the record that is asked about. */
type Check = (call: Call, asked: Asked, judge: Judge) => Promise<boolean>;

/** Threads are not there yet: an intent is alone in its own. */
const checks: Readonly<Record<string, Check>> = {
  'wallet.canSpendAllChangedRouteTargets': async () => true,
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
