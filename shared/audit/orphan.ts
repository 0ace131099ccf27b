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
import { auditLives } from './histories.ts';
import { handleOfLife, type ItemHistory, readLives, retraced, type Trace } from './history.ts';
import { luidsListed } from './listed.ts';
import { followedOf, type Selection, selectedOf } from './outline.ts';
import { claimsOf } from './place.ts';
import { auditCounters } from './refers.ts';
import { type AuditRun, roundCountMax, tell, waitFor } from './run.ts';
import type { AuditSource, NamedItem } from './source.ts';
import { type AuditViolation, violationOf } from './violation.ts';

/** An item without an account, and the cursor of the record that should account for it. */
interface Suspect {
  readonly named: NamedItem;
  readonly text: string;
  readonly trace: Trace | undefined;
  /** The name of the record, when it is there. */
  readonly handle?: string;
}

/** Yields surplus items, records without a pointer, and wrong counts. */
export async function* auditOrphans(
  course: AuditRun,
  selection: Selection,
): AsyncGenerator<AuditViolation, void, undefined> {
  if (course.tally.isEven()) return;
  const handles = new Map<string, string>();
  const rest: Suspect[] = [];
  const counters: NamedItem[] = [];
  for await (const sorted of selectedOf(course, selection)) {
    tell(course, 'looking for strays');
    const odd = followedOf(sorted).filter(({ item }) =>
      course.tally.isOdd(textOf(keyOfItem(item))),
    );
    counters.push(...odd.filter(isCounter));
    const others = odd.filter((named) => !isCounter(named));
    const strays = await straysOf(course, await suspectsOf(course, others));
    for (const stray of strays.filter(isHead)) yield* auditHead(course, stray, handles);
    rest.push(...strays.filter((stray) => !isHead(stray)));
  }
  const known = rest.map((stray) => withHandle(stray, handles));
  for (const stray of await straysOf(course, known)) yield violationOfStray(stray);
  yield* auditCounters(course, counters);
}

/** Audits a head that no pointer names as a record, and counts it. */
async function* auditHead(
  course: AuditRun,
  stray: Suspect,
  handles: Map<string, string>,
): AsyncGenerator<AuditViolation, void, undefined> {
  const { trace } = stray;
  const { name } = stray.named;
  if (name.item !== 'head' || trace?.kind !== name.kind) return yield violationOfStray(stray);
  const { scope, kind, handle } = name;
  const { luid } = trace;
  const [{ pointer } = trace] = await retraced(course.source, [trace]);
  if (pointer)
    return yield violationOf(
      3,
      { scope, kind, handle, luid },
      'The record lies at a handle that its pointer does not name.',
      { expected: pointer.handle, found: handle },
    );
  handles.set(luid, handle);
  yield* await auditLives(course, [{ ...trace, handle }]);
}

function isHead({ named }: Suspect): boolean {
  return named.name.item === 'head';
}

function isCounter({ name }: NamedItem): boolean {
  return name.item === 'refers';
}

function withHandle(suspect: Suspect, handles: ReadonlyMap<string, string>): Suspect {
  const { trace } = suspect;
  const handle = trace && handles.get(trace.luid);
  return trace && handle !== undefined ? { ...suspect, trace: { ...trace, handle } } : suspect;
}

/** Those of the suspects for which no record accounts in any reading. */
async function straysOf(course: AuditRun, suspects: readonly Suspect[]): Promise<Suspect[]> {
  let strays = [...suspects];
  const rounds = course.options.isLive ? roundCountMax : 1;
  for (let round = 0; round < rounds && strays.length > 0; round += 1) {
    await waitFor(round);
    const lives = await livesOf(course, strays);
    const claims = new Set(lives.flatMap(claimsOf));
    const handles = new Map(lives.map((life) => [nameOfTrace(life), handleOfLife(life)]));
    const present = await course.source.at(strays.map(({ named }) => keyOfItem(named.item)));
    strays = strays
      .filter(({ text }) => !claims.has(text) && present.has(text))
      .map((stray) => {
        const handle = stray.trace && handles.get(nameOfTrace(stray.trace));
        return handle === undefined ? stray : { ...stray, handle };
      });
  }
  return strays;
}

/** The records that the suspects belong to. */
async function livesOf(
  { source, systemKeys }: AuditRun,
  suspects: readonly Suspect[],
): Promise<ItemHistory[]> {
  const held = await holdersOf(source, suspects);
  const all = [...suspects.flatMap(({ trace }) => trace ?? []), ...held];
  const traces = new Map(all.map((trace) => [nameOfTrace(trace), trace]));
  return readLives(source, systemKeys, await retraced(source, [...traces.values()]));
}

/** The records that may show the keys among the suspects: the holder of each and all factors of that signer. */
async function holdersOf(source: AuditSource, suspects: readonly Suspect[]): Promise<Trace[]> {
  const keys = suspects.flatMap(({ named }) =>
    named.name.item === 'holder' ? [keyOfItem(named.item)] : [],
  );
  const items = [...(await source.at(keys)).values()];
  const signers = items.flatMap((item) => {
    const name = nameOfItem(item);
    return name ? [headKeyOf(name.scope, 'signer', String(item['signer']))] : [];
  });
  const traces: Trace[] = [];
  for (const head of (await source.at(signers)).values()) {
    const name = nameOfItem(head);
    if (name?.item !== 'head') continue;
    const { scope, kind, handle } = name;
    traces.push({ scope, kind, luid: String(head['luid']), hasPast: true });
    const factors = await luidsListed(source, listPartitionOf(scope, 'signer-factor', handle));
    traces.push(
      ...factors.map((luid) => ({ scope, kind: 'signer-factor', luid, hasPast: true }) as const),
    );
  }
  return traces;
}

function nameOfTrace({ scope, luid }: Pick<Trace, 'scope' | 'luid'>): string {
  return `${scope}#${luid}`;
}

async function suspectsOf(course: AuditRun, odd: readonly NamedItem[]): Promise<Suspect[]> {
  const hosts = odd.flatMap(({ name, item }) => hostKeyOf(name, item) ?? []);
  const found = await course.source.at(hosts);
  return odd.map((named) => {
    const key = hostKeyOf(named.name, named.item);
    const host = key && found.get(textOf(key));
    const luid = luidOfItem(named, host?.['luid']);
    const kind = kindOfLuid(luid);
    const { name } = named;
    const scope = name.item === 'secret' ? '' : name.scope;
    const trace = kind && { scope, kind, luid, hasPast: true };
    return { named, text: textOf(keyOfItem(named.item)), trace };
  });
}

/** The head of the record that an item names by handle. */
function hostKeyOf(name: ItemName, item: NamedItem['item']) {
  if (name.item === 'holder') return headKeyOf(name.scope, 'signer', String(item['signer']));
  return name.item === 'secret' ? headKeyOf('', 'ledger', name.scope) : undefined;
}

/** The luid of the record that an item belongs to. */
function luidOfItem({ name, item }: NamedItem, host: unknown): string {
  if ('luid' in name) return name.luid;
  return String(name.item === 'holder' || name.item === 'secret' ? host : item['luid']);
}

function violationOfStray({ named, text, trace, handle }: Suspect): AuditViolation {
  const { name } = named;
  const [invariant, fact] = surplus[name.item] ?? [3, 'An item belongs to no record'];
  const subject = {
    scope: name.scope,
    ...(trace && { kind: trace.kind, luid: trace.luid }),
    ...(handle !== undefined && { handle }),
    ...('change' in name && { change: name.change }),
  };
  return violationOf(invariant, subject, `${fact}: '${text}'.`);
}
