/**
 * What a schema or a policy extends: others, which may extend further ones. Those that it reaches count
 * with it, each once. Rulings 65 and 66, Decision 26.
 */
import { LedgerError } from '../ledger/errors.ts';
import { type Kind, lineOf } from '../ledger/kind.ts';
import type { RecordData, Version } from '../ledger/record.ts';
import { relationsOf } from '../ledger/relation.ts';
import type { Call } from '../port/action.ts';
import type { Scope, Want } from '../port/ports.ts';
import { reachesTo } from './lineage.ts';

/** What is about to extend others: its data, and where it will lie. */
interface Extending {
  readonly data: RecordData;
  readonly domain: string | undefined;
}

/** How many records one may reach: each level of them is a read. */
const reachMax = 16;

/**
 * The records given and all that they extend, nearest first. A circle is gone round once. What was made in a domain is
 * extended there and below, and nowhere else: else whoever may write there would write for others. Ruling 70.
 */
export async function withExtended(call: Call, starts: readonly Version[]): Promise<Version[]> {
  const scope = call.ledger.handle;
  const reached = new Map(starts.map((version) => [version.record.data.handle, version]));
  let level = starts;
  while (level.length > 0) {
    const wants = level.flatMap((version) => wantsOf(scope, version.kind, version.record.data));
    const fresh = wants.filter(({ handle }) => !reached.has(handle));
    if (reached.size - starts.length + fresh.length > reachMax) {
      const [first] = level;
      throw reachesTooFar(`${lineOf(first?.kind ?? 'schema').title} ${first?.record.data.handle}`);
    }
    const found = fresh.length > 0 ? await call.services.store.load(fresh) : [];
    level = await reaching(
      call,
      found.flatMap((version) => version ?? []),
      level,
    );
    for (const version of level) reached.set(version.record.data.handle, version);
  }
  return [...reached.values()];
}

/**
 * Refuses a schema or a policy that would extend itself over others, or others of another sort.
 * `found` are those that it names.
 */
export async function assertExtends(
  call: Call,
  kind: 'schema' | 'policy',
  { data, domain }: Extending,
  found: readonly Version[],
): Promise<void> {
  const title = `${lineOf(kind).title} ${data.handle}`;
  const sort = kind === 'schema' ? 'record' : 'schema';
  for (const { record } of found) {
    if (await reachesTo(call, record.meta.domain, domain)) continue;
    const detail = `${title} extends ${record.data.handle}, which does not reach its domain.`;
    throw new LedgerError('record.invalid', detail);
  }
  const all = await withExtended(call, found);
  if (all.length > reachMax) throw reachesTooFar(title);
  const named = new Set(found.map(({ record }) => record.data.handle));
  for (const { record } of all) {
    const { handle } = record.data;
    // What those extend in turn may be hidden from who names them.
    const which = named.has(handle)
      ? `${handle}, which it extends,`
      : 'one behind those it extends';
    if (handle === data.handle) throw new LedgerError('record.invalid', `${title} extends itself.`);
    if (record.data[sort] !== data[sort])
      throw new LedgerError(
        'record.invalid',
        `${title} is for the ${sort} ${data[sort]}, and ${which} for another.`,
      );
  }
}

/** Those of some records that reach one of those that extend them. */
async function reaching(
  call: Call,
  found: readonly Version[],
  extending: readonly Version[],
): Promise<Version[]> {
  const extendedBy = ({ kind, record }: Version, handle: string) =>
    relationsOf(kind, { extend: record.data['extend'] }).some((one) => one.handle === handle);
  const reached = await Promise.all(
    found.map(async ({ record: { data, meta } }) => {
      const from = extending.filter((one) => extendedBy(one, data.handle));
      const may = await Promise.all(
        from.map((one) => reachesTo(call, meta.domain, one.record.meta.domain)),
      );
      return may.some(Boolean);
    }),
  );
  return found.filter((_, index) => reached[index]);
}

function wantsOf(scope: Scope, kind: Kind, data: RecordData): (Want & { what: 'record' })[] {
  return relationsOf(kind, { extend: data['extend'] }).map(({ handle }) => ({
    what: 'record',
    scope,
    kind,
    handle,
  }));
}

function reachesTooFar(title: string): LedgerError {
  const detail = `${title} extends too many others, at most ${reachMax}.`;
  return new LedgerError('record.invalid', detail);
}
