/** Named checks in rules (`invoke`): the permission depends on permissions for other records. Ruling 33. */
import { handleOf } from '../ledger/address.ts';
import { isFinal, statedAtOf } from '../ledger/intent.ts';
import type { LedgerRecord } from '../ledger/record.ts';
import type { Call } from '../port/action.ts';
import type { PermissionQuery } from '../port/permission-query.ts';
import { oncePerCall } from '../record/once-per-call.ts';
import { readerFor } from '../record/reader.ts';
import { tenureMsOf } from '../record/tenure.ts';
import type { IntentData } from '../shape/intent.ts';
import type { SignedBody } from '../shape/record.ts';
import { changedTargets, walletsMeant } from './addressed.ts';

/** Decides a permission query, by the same rules. */
type Judge = (call: Call, query: PermissionQuery) => Promise<boolean>;

/** True when the check passes for the record in question. */
type Check = (call: Call, query: PermissionQuery, judge: Judge) => Promise<boolean>;

const checks: Readonly<Record<string, Check>> = {
  'wallet.canSpendAllChangedRouteTargets': canSpendTargets,
  'intent.canReadAnyClaimWallet': (...all) => onWallets(...all, 'read', 'some'),
  'intent.canReadAnyClaimWalletInThread': (...all) => onThread(...all, 'read'),
  'intent.canSpendAnyClaimWallet': (...all) => onWallets(...all, 'spend', 'some'),
  'intent.canSpendAnyClaimWalletInThread': (...all) => onThread(...all, 'spend'),
  'intent.canSpendEveryClaimWallet': (...all) => onWallets(...all, 'spend', 'every'),
};

/** Runs named checks; returns those that pass. */
export async function passingChecks(
  call: Call,
  query: PermissionQuery,
  invokes: ReadonlySet<string>,
  judge: Judge,
): Promise<ReadonlySet<string>> {
  const passing = await Promise.all(
    [...invokes].map(async (name) => ((await checks[name]?.(call, query, judge)) ? [name] : [])),
  );
  return new Set(passing.flat());
}

/** Requires permission to spend from each target of a new or changed route. */
async function canSpendTargets(
  call: Call,
  { action, record, draft }: PermissionQuery,
  judge: Judge,
): Promise<boolean> {
  // Only create and update change routes. Returning here also ends the recursion, since the check asks for `spend`.
  if (action !== 'create' && action !== 'update') return true;
  const { data } = (call.body ?? {}) as Partial<SignedBody>;
  const targets = await changedTargets(call, draft?.data ?? data ?? {}, record?.data);
  const may = await Promise.all(
    targets.map((target) => judge(call, { action: 'spend', kind: 'wallet', record: target })),
  );
  return may.every(Boolean);
}

/** Requires the permission for any of the wallets in the claims of the thread. Ruling 43. */
async function onThread(
  call: Call,
  query: PermissionQuery,
  judge: Judge,
  action: 'read' | 'spend',
): Promise<boolean> {
  if (await onWallets(call, query, judge, action, 'some')) return true;
  for (const record of await othersInThread(call, query.record))
    if (await onWallets(call, { ...query, record }, judge, action, 'some')) return true;
  return false;
}

/** The other intents of the same thread. */
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

/**
 * Requires the permission for some or all of the wallets that the claims mean, by handle or address. A wallet that took
 * its handle after the intent had ended is another one than was meant.
 */
async function onWallets(
  call: Call,
  { record, draft }: PermissionQuery,
  judge: Judge,
  action: 'read' | 'spend',
  quantity: 'some' | 'every',
): Promise<boolean> {
  const claims = ((record ?? draft)?.data as unknown as Partial<IntentData>)?.claims ?? [];
  const named = [...new Set(claims.flatMap(walletsNamed))];
  const meant = await walletsMeant(
    call,
    named.map((address) => ({ address, side: 'credit' })),
  );
  const isGranted = async (wallet: LedgerRecord) =>
    (await isLaterThan(call, wallet, record))
      ? false
      : judge(call, { action, kind: 'wallet', record: wallet });
  const may = await Promise.all(meant.map((wallet) => (wallet ? isGranted(wallet) : false)));
  return quantity === 'every' ? may.length > 0 && may.every(Boolean) : may.some(Boolean);
}

/** True when the wallet took its handle after the intent had ended. Decision 91. */
async function isLaterThan(
  call: Call,
  wallet: LedgerRecord,
  intent: LedgerRecord | undefined,
): Promise<boolean> {
  const status = intent?.meta.status ?? '';
  if (!intent || !isFinal(status)) return false;
  const endMs = Date.parse(statedAtOf(intent, status) ?? '');
  if (Date.parse(wallet.meta.moment) <= endMs) return false;
  return (await sinceMsOf(call, wallet)) > endMs;
}

function sinceMsOf(call: Call, { data, luid }: LedgerRecord): Promise<number> {
  return oncePerCall(call, `since ${luid}`, async () => {
    const { services, ledger } = call;
    const version = await readerFor(call).record('wallet', data.handle);
    return version ? tenureMsOf(services.store, ledger.handle, version) : 0;
  });
}

function walletsNamed(claim: IntentData['claims'][number]): string[] {
  return [
    ...('source' in claim ? [handleOf(claim.source)] : []),
    ...('target' in claim ? [handleOf(claim.target)] : []),
    ...('wallet' in claim ? [handleOf(claim.wallet)] : []),
  ];
}
