/**
 * Items for which no record accounts. When the tally is not even, the table is read once more, and every item that may
 * be the cause is looked for in the projection of its record.
 */
import { kindOfLuid } from '../ledger/address.ts';
import {
  headKeyOf,
  type ItemName,
  keyOfItem,
  listPartitionOf,
  nameOfItem,
  textOf,
} from '../store/keys.ts';
import { surplus } from '../store/projection.ts';
import { auditHistories } from './histories.ts';
import {
  type HistoryCursor,
  handleOfHistory,
  type ItemHistory,
  readHistories,
  retraced,
} from './history.ts';
import { luidsListed } from './listed.ts';
import { followedOf, type Selection, selectedOf } from './outline.ts';
import { claimsOf } from './place.ts';
import { auditCounters } from './refers.ts';
import { type AuditRun, reportPhase, roundCountMax, waitFor } from './run.ts';
import type { AuditSource, NamedItem } from './source.ts';
import { type AuditViolation, violationOf } from './violation.ts';

/** An item without an account, and the cursor of the record that should account for it. */
interface Suspect {
  readonly named: NamedItem;
  readonly text: string;
  readonly cursor: HistoryCursor | undefined;
  /** The name of the record, when it is there. */
  readonly handle?: string;
}

/** Yields surplus items, records without a pointer, and wrong counts. */
export async function* auditOrphans(
  run: AuditRun,
  selection: Selection,
): AsyncGenerator<AuditViolation, void, undefined> {
  if (run.tally.isEven()) return;
  const handles = new Map<string, string>();
  const rest: Suspect[] = [];
  const counters: NamedItem[] = [];
  for await (const sorted of selectedOf(run, selection)) {
    reportPhase(run, 'looking for strays');
    const odd = followedOf(sorted).filter(({ item }) => run.tally.isOdd(textOf(keyOfItem(item))));
    counters.push(...odd.filter(isCounter));
    const others = odd.filter((named) => !isCounter(named));
    const strays = await straysOf(run, await suspectsOf(run, others));
    for (const stray of strays.filter(isHead)) yield* auditHead(run, stray, handles);
    rest.push(...strays.filter((stray) => !isHead(stray)));
  }
  const known = rest.map((stray) => withHandle(stray, handles));
  for (const stray of await straysOf(run, known)) yield violationOfStray(stray);
  yield* auditCounters(run, counters);
}

/** Audits a head that no pointer names as a record, and counts it. */
async function* auditHead(
  run: AuditRun,
  stray: Suspect,
  handles: Map<string, string>,
): AsyncGenerator<AuditViolation, void, undefined> {
  const { cursor } = stray;
  const { name } = stray.named;
  if (name.item !== 'head' || cursor?.kind !== name.kind) return yield violationOfStray(stray);
  const { scope, kind, handle } = name;
  const { luid } = cursor;
  const [{ pointer } = cursor] = await retraced(run.source, [cursor]);
  if (pointer)
    return yield violationOf(
      3,
      { scope, kind, handle, luid },
      'The record lies at a handle that its pointer does not name.',
      { expected: pointer.handle, found: handle },
    );
  handles.set(luid, handle);
  yield* await auditHistories(run, [{ ...cursor, handle }]);
}

function isHead({ named }: Suspect): boolean {
  return named.name.item === 'head';
}

function isCounter({ name }: NamedItem): boolean {
  return name.item === 'refers';
}

function withHandle(suspect: Suspect, handles: ReadonlyMap<string, string>): Suspect {
  const { cursor } = suspect;
  const handle = cursor && handles.get(cursor.luid);
  return cursor && handle !== undefined ? { ...suspect, cursor: { ...cursor, handle } } : suspect;
}

/** Those of the suspects for which no record accounts in any reading. */
async function straysOf(run: AuditRun, suspects: readonly Suspect[]): Promise<Suspect[]> {
  let strays = [...suspects];
  const rounds = run.options.isLive ? roundCountMax : 1;
  for (let round = 0; round < rounds && strays.length > 0; round += 1) {
    await waitFor(round);
    const histories = await historiesOf(run, strays);
    const claims = new Set(histories.flatMap(claimsOf));
    const handles = new Map(
      histories.map((history) => [nameOfCursor(history), handleOfHistory(history)]),
    );
    const present = await run.source.at(strays.map(({ named }) => keyOfItem(named.item)));
    strays = strays
      .filter(({ text, named }) => !claims.has(text) && isSameRecord(named.item, present.get(text)))
      .map((stray) => {
        const handle = stray.cursor && handles.get(nameOfCursor(stray.cursor));
        return handle === undefined ? stray : { ...stray, handle };
      });
  }
  return strays;
}

/** False where the item is gone, or is that of a record that was made anew under the name meanwhile. */
function isSameRecord(item: NamedItem['item'], present: NamedItem['item'] | undefined): boolean {
  return present !== undefined && present['luid'] === item['luid'];
}

/** The records that the suspects belong to. */
async function historiesOf(
  { source, systemKeys }: AuditRun,
  suspects: readonly Suspect[],
): Promise<ItemHistory[]> {
  const held = await holdersOf(source, suspects);
  const all = [...suspects.flatMap(({ cursor }) => cursor ?? []), ...held];
  const cursors = new Map(all.map((cursor) => [nameOfCursor(cursor), cursor]));
  return readHistories(source, systemKeys, await retraced(source, [...cursors.values()]));
}

/** The records that may show the keys among the suspects: the holder of each and all factors of that signer. */
async function holdersOf(
  source: AuditSource,
  suspects: readonly Suspect[],
): Promise<HistoryCursor[]> {
  const keys = suspects.flatMap(({ named }) =>
    named.name.item === 'holder' ? [keyOfItem(named.item)] : [],
  );
  const items = [...(await source.at(keys)).values()];
  const signers = items.flatMap((item) => {
    const name = nameOfItem(item);
    const isOfSigner = name !== undefined && isHeld(name, item);
    return isOfSigner ? [headKeyOf(name.scope, 'signer', String(item['signer']))] : [];
  });
  const cursors: HistoryCursor[] = [];
  for (const head of (await source.at(signers)).values()) {
    const name = nameOfItem(head);
    if (name?.item !== 'head') continue;
    const { scope, kind, handle } = name;
    cursors.push({ scope, kind, luid: String(head['luid']), hasPast: true });
    const factors = await luidsListed(source, listPartitionOf(scope, 'signer-factor', handle));
    cursors.push(
      ...factors.map((luid) => ({ scope, kind: 'signer-factor', luid, hasPast: true }) as const),
    );
  }
  return cursors;
}

function nameOfCursor({ scope, luid }: Pick<HistoryCursor, 'scope' | 'luid'>): string {
  return `${scope}#${luid}`;
}

async function suspectsOf(run: AuditRun, odd: readonly NamedItem[]): Promise<Suspect[]> {
  const hosts = odd.flatMap(({ name, item }) => hostKeyOf(name, item) ?? []);
  const found = await run.source.at(hosts);
  return odd.map((named) => {
    const key = hostKeyOf(named.name, named.item);
    const host = key && found.get(textOf(key));
    const luid = luidOfItem(named, host?.['luid']);
    const kind = kindOfLuid(luid);
    const { name } = named;
    const scope = name.item === 'secret' ? '' : name.scope;
    const cursor = kind && { scope, kind, luid, hasPast: true };
    return { named, text: textOf(keyOfItem(named.item)), cursor };
  });
}

/** The head of the record that an item names by handle. */
function hostKeyOf(name: ItemName, item: NamedItem['item']) {
  if (isHeld(name, item)) return headKeyOf(name.scope, 'signer', String(item['signer']));
  return name.item === 'secret' ? headKeyOf('', 'ledger', name.scope) : undefined;
}

/** The luid of the record that an item belongs to. */
function luidOfItem({ name, item }: NamedItem, host: unknown): string {
  if ('luid' in name) return name.luid;
  return String(isHeld(name, item) || name.item === 'secret' ? host : item['luid']);
}

/** True for a key that a signer holds; one that has handed over names its record by luid. */
function isHeld(name: ItemName, item: NamedItem['item']): boolean {
  return name.item === 'holder' && item['luid'] === undefined;
}

function violationOfStray({ named, text, cursor, handle }: Suspect): AuditViolation {
  const { name } = named;
  const [invariant, fact] = surplus[name.item] ?? [3, 'An item belongs to no record'];
  const subject = {
    scope: name.scope,
    ...(cursor && { kind: cursor.kind, luid: cursor.luid }),
    ...(handle !== undefined && { handle }),
    ...('change' in name && { change: name.change }),
  };
  return violationOf(invariant, subject, `${fact}: '${text}'.`);
}
