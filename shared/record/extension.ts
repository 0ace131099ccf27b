/**
 * Extension of schemas and policies. Each may extend others, which may extend further ones; all that are reached
 * count, each once. Rulings 65 and 66, Decision 26.
 */
import { LedgerError } from '../ledger/errors.ts';
import { type Kind, lineOf } from '../ledger/kind.ts';
import type { RecordData, Version } from '../ledger/record.ts';
import { relationsOf } from '../ledger/relation.ts';
import type { Call } from '../port/action.ts';
import type { Scope, Want } from '../port/ports.ts';
import { reachesTo } from './lineage.ts';

interface Extending {
  readonly data: RecordData;
  readonly domain: string | undefined;
}

/** Each level of extension is a read, so a record reaches at most this many others. */
const reachMax = 16;

/**
 * The given records and all that they extend, nearest first; a cycle ends where it began. A record in a domain can
 * be extended in that domain and below only. Otherwise an author there could write rules for others. Ruling 70.
 * Refuses with `record.invalid` when too many are reached.
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
 * Refuses with `record.invalid` a schema or policy that extends itself, one of another kind or sort, or one that
 * does not reach its domain. `found` are those that it names.
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
    // The author may not see those that are extended indirectly, so the error does not name them.
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

/** As `withExtended`, but `otherwise` where too many are reached, as after an update of one that is extended. */
export async function extendedOr(
  call: Call,
  starts: readonly Version[],
  otherwise: () => Version[],
): Promise<Version[]> {
  return withExtended(call, starts).catch((error) => {
    if (error instanceof LedgerError && error.reason === 'record.invalid') return otherwise();
    throw error;
  });
}

/** Those of the found records that may be extended by one of the records that extend them. */
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
