/** How many effects of a ledger may hear one signal: each event of it is sent to all of them. Decision 86. */
import { LedgerError } from '../ledger/errors.ts';
import type { Kind } from '../ledger/kind.ts';
import type { LedgerRecord } from '../ledger/record.ts';
import type { Call } from './action.ts';

/** Refuses an effect that would be one too many for its signal; one that has its place keeps it. */
export async function assertHeard(
  { services, ledger }: Call,
  kind: Kind,
  data: LedgerRecord['data'],
  previous?: LedgerRecord['data'],
): Promise<void> {
  const { effectsPerSignal } = services.settings;
  const { signal } = data;
  if (kind !== 'effect' || effectsPerSignal === undefined || signal === previous?.['signal'])
    return;
  const own = await services.store.indexed(ledger.handle, 'effect', String(signal));
  // A create that is sent again must hear that its record is there already.
  const others = own.filter(({ record }) => record.data.handle !== data.handle);
  if (others.length < effectsPerSignal) return;
  throw new LedgerError(
    'record.invalid',
    `The signal ${String(signal)} is heard by as many effects as may hear it: ${effectsPerSignal}.`,
    { signal, effects: others.length, effectsMax: effectsPerSignal },
  );
}
