/**
 * Invariant 3, for keys: one that was taken away from its signer is marked so, with the signer that had it, and what is
 * noted of a key follows from the history of the record that showed it. Decision 157.
 */
import { kindOfLuid } from '../ledger/address.ts';
import { nameOfVersion } from '../ledger/record.ts';
import type { Scope } from '../port/ports.ts';
import { type KeyPast, keyPastsOf } from '../store/key-past.ts';
import { headKeyOf, holderKeyOf, type Key, keyOfItem, textOf } from '../store/keys.ts';
import { unpack } from '../store/pack.ts';
import { holderIn, signerOf } from '../store/projection.ts';
import type { Item } from '../store/request.ts';
import {
  currentOf,
  type HistoryCursor,
  type ItemHistory,
  readHistories,
  retraced,
  versionsOf,
} from './history.ts';
import { subjectOf } from './place.ts';
import { type AuditRun, lastingIn } from './run.ts';
import type { NamedItem } from './source.ts';
import { type AuditViolation, type Finding, violationOf } from './violation.ts';

/** Checks the keys of a signer or a factor: those that it shows, and those that it has given up. */
export function* checkHolders(history: ItemHistory): Finding {
  for (const past of keyPastsOf(history.scope, versionsOf(history))) {
    const key = holderKeyOf(history.scope, past.key);
    const item = history.items.get(textOf(key));
    if (past.isShown && item) yield* checkHeld(history, past, item);
    if (past.isShown || !past.isProven || item) continue;
    const fact = `Nothing marks at '${textOf(key)}' that a key was taken away; "countersign reindex" mends it.`;
    yield violationOf(3, subjectOf(history), fact);
  }
}

/** Checks what is noted of a key that the record shows, unless another signer holds it. */
function* checkHeld(history: ItemHistory, past: KeyPast, item: Item): Finding {
  const { scope, items } = history;
  const current = currentOf(history);
  const { signer, isProven } = holderIn(item);
  if (!current || signer !== signerOf(current)) return;
  const subject = subjectOf(history);
  const text = textOf(keyOfItem(item));
  const owners = ownersIn(items.get(textOf(headKeyOf('', 'ledger', scope))));
  if (isProven && !past.mayBeProven(owners))
    yield violationOf(3, subject, `A key is noted as proven that nobody has proved: '${text}'.`);
}

/** Checks those of the items that say from whom a key was taken away. */
export async function auditFormerKeys(
  run: AuditRun,
  loose: readonly NamedItem[],
): Promise<AuditViolation[]> {
  const keys = loose.filter(isMark).map(({ item }) => keyOfItem(item));
  return keys.length === 0 ? [] : lastingIn(run, () => violationsAt(run, keys));
}

function isMark({ name, item }: NamedItem): boolean {
  return name.item === 'holder' && item['luid'] !== undefined;
}

async function violationsAt(run: AuditRun, keys: readonly Key[]): Promise<AuditViolation[]> {
  const items = [...(await run.source.at(keys)).values()];
  const all = items.map(async (item) => {
    const [scope = '', , ...rest] = keyOfItem(item).pk.split('#');
    const fact = await faultOf(run, scope, rest.join('#'), item);
    const { luid } = holderIn(item);
    return fact === undefined
      ? []
      : violationOf(
          3,
          { scope, ...(luid !== undefined && { luid }) },
          `${fact}: '${textOf(keyOfItem(item))}'.`,
        );
  });
  return (await Promise.all(all)).flat();
}

/** The fault of a mark; undefined where it follows from a history. */
async function faultOf(
  run: AuditRun,
  scope: Scope,
  key: string,
  item: Item,
): Promise<string | undefined> {
  const { signer, former, luid = '' } = holderIn(item);
  if (former === undefined && signer === undefined) return undefined;
  const history = await historyOf(run, scope, luid);
  const past =
    history && keyPastsOf(history.scope, versionsOf(history)).find((one) => one.key === key);
  if (!history || !past) return 'A key is marked as taken away from a signer that never had it';
  const [ledger] = (await run.source.at([headKeyOf('', 'ledger', scope)])).values();
  if (!past.mayBeProven(ownersIn(ledger)))
    return 'A key is marked as taken away from a signer whose key nobody has proved it to be';
  if (signer === undefined && past.isShown)
    return 'A key is marked as taken away that its signer has';
  const isIts = await isOfSigner(run, history, former ?? '');
  return isIts ? undefined : 'A key is marked as taken away from another signer than had it';
}

/** True when the record is this signer, or a factor of a signer that had this luid. */
async function isOfSigner(run: AuditRun, history: ItemHistory, luid: string): Promise<boolean> {
  if (history.kind === 'signer') return history.luid === luid;
  const signer = await historyOf(run, history.scope, luid);
  const names = new Set(versionsOf(history).map(signerOf));
  return (
    signer?.kind === 'signer' && versionsOf(signer).some((one) => names.has(nameOfVersion(one)))
  );
}

async function historyOf(
  { source, systemKeys }: AuditRun,
  scope: Scope,
  luid: string,
): Promise<ItemHistory | undefined> {
  const kind = kindOfLuid(luid);
  if (kind !== 'signer' && kind !== 'signer-factor') return undefined;
  const cursor: HistoryCursor = { scope, kind, luid, hasPast: true };
  const [history] = await readHistories(source, systemKeys, await retraced(source, [cursor]));
  return history && versionsOf(history).length > 0 ? history : undefined;
}

/** The owners of a ledger, from its head. */
function ownersIn(head: Item | undefined): readonly string[] {
  try {
    return head ? unpack(head).record.meta.owners : [];
  } catch {
    return [];
  }
}
