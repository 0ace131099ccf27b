/**
 * What a schema or a policy extends: others, which may extend further ones. Those that it reaches count
 * with it, each once. Rulings 65 and 66, Decision 26.
 */
import { LedgerError } from '../ledger/errors.ts';
import { type Kind, lineOf } from '../ledger/kind.ts';
import type { RecordData, Version } from '../ledger/record.ts';
import { relationsOf } from '../ledger/relation.ts';
import type { Services } from './action.ts';
import type { Scope, Want } from './ports.ts';

/** How many records one may reach: each level of them is a read. */
const reachMax = 16;

/** The records given and all that they extend, nearest first. A circle is gone round once. */
export async function withExtended(
  services: Pick<Services, 'store'>,
  scope: Scope,
  starts: readonly Version[],
): Promise<Version[]> {
  const reached = new Map(starts.map((version) => [version.record.data.handle, version]));
  let level = starts;
  while (level.length > 0) {
    const wants = level.flatMap((version) => wantsOf(scope, version.kind, version.record.data));
    const fresh = wants.filter(({ handle }) => !reached.has(handle));
    if (reached.size - starts.length + fresh.length > reachMax) {
      const [first] = level;
      throw reachesTooFar(`${lineOf(first?.kind ?? 'schema').title} ${first?.record.data.handle}`);
    }
    const found = fresh.length > 0 ? await services.store.load(fresh) : [];
    level = found.filter((version) => version !== undefined);
    for (const version of level) reached.set(version.record.data.handle, version);
  }
  return [...reached.values()];
}

/**
 * Refuses a schema or a policy that would extend itself over others, or others of another sort.
 * `found` are those that it names.
 */
export async function assertExtends(
  services: Pick<Services, 'store'>,
  scope: Scope,
  kind: 'schema' | 'policy',
  data: RecordData,
  found: readonly Version[],
): Promise<void> {
  const title = `${lineOf(kind).title} ${data.handle}`;
  const sort = kind === 'schema' ? 'record' : 'schema';
  const all = await withExtended(services, scope, found);
  if (all.length > reachMax) throw reachesTooFar(title);
  for (const { record } of all) {
    const { handle } = record.data;
    if (handle === data.handle) throw new LedgerError('record.invalid', `${title} extends itself.`);
    if (record.data[sort] !== data[sort])
      throw new LedgerError(
        'record.invalid',
        `${title} is for the ${sort} ${data[sort]}, and ${handle}, which it extends, for another.`,
      );
  }
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
