/**
 * How many effects of a ledger may hear one signal: each event of it is sent to all of them. Those of a domain, with the
 * domains in it, take no places of others: whoever may make effects there keeps nobody elsewhere from hearing. Decision 86.
 */
import { LedgerError } from '../ledger/errors.ts';
import type { Kind } from '../ledger/kind.ts';
import type { LedgerRecord } from '../ledger/record.ts';
import type { Call } from '../port/action.ts';
import { outermostOf } from './lineage.ts';

/** Refuses an effect that would be one too many for its signal; one that has its place keeps it. */
export async function assertHeard(
  call: Call,
  kind: Kind,
  { data, domain }: { readonly data: LedgerRecord['data']; readonly domain: string | undefined },
  previous?: LedgerRecord['data'],
): Promise<void> {
  const { services, ledger } = call;
  const { effectsPerSignal } = services.settings;
  const { signal } = data;
  if (kind !== 'effect' || effectsPerSignal === undefined || signal === previous?.['signal'])
    return;
  const own = await services.store.indexed(ledger.handle, 'effect', String(signal));
  // Fewer than may hear it in all are not too many anywhere.
  if (own.length < effectsPerSignal) return;
  const outermost = await outermostOf(call, domain);
  let count = 0;
  for (const { record } of own) {
    // A create that is sent again must hear that its record is there already.
    if (record.data.handle === data.handle) continue;
    const other = await outermostOf(call, record.meta.domain);
    if (other === undefined || other === outermost) count += 1;
  }
  if (count < effectsPerSignal) return;
  throw new LedgerError(
    'record.invalid',
    `The signal ${String(signal)} is heard by as many effects as may hear it: ${effectsPerSignal}.`,
    { signal, effects: count, effectsMax: effectsPerSignal },
  );
}
