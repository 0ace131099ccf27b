/** The decisions that can be signed on an intent, and all that it waits for. */
import { useState } from 'preact/hooks';
import { Problem } from './loading.tsx';
import { type ShownRecord, useSession } from './session.ts';
import { lineOf, momentOf } from './text.ts';
import { detailOf } from './whom.ts';

type WaitingFor = Readonly<Record<string, unknown>>;

export function waitingIn({ meta }: ShownRecord): readonly WaitingFor[] {
  const { waiting } = meta;
  return Array.isArray(waiting) ? (waiting as WaitingFor[]) : [];
}

/** Everything that an intent waits for, a sentence each. */
export function Waiting({ record }: { readonly record: ShownRecord }) {
  const all = waitingIn(record);
  if (all.length === 0) return null;
  return (
    <div class="waiting">
      <strong>Waits</strong>, as the server says
      <ul>
        {all.map((one) => (
          <li key={JSON.stringify(one)}>{waitingText(one)}</li>
        ))}
      </ul>
    </div>
  );
}

function waitingText(one: WaitingFor): string {
  const until = one['until'] === undefined ? '' : `, until ${momentOf(one['until'])} UTC`;
  if (one['for'] === 'moment') return `for its moment, ${momentOf(one['from'])} UTC`;
  if (one['for'] === 'signatures') return `for signatures${until}`;
  if (one['for'] === 'decision') return `for a decision: committed or aborted${until}`;
  const { bridge, action, status, attempts, next, detail } = one;
  const last = detail === undefined ? '' : ` Last failure: ${detailOf(detail)}.`;
  const later = next === undefined ? '' : ` Next attempt: ${momentOf(next)} UTC.`;
  return status === 'delivered'
    ? `for bridge ${lineOf(bridge)} to report that it did “${lineOf(action)}”`
    : `for bridge ${lineOf(bridge)} to accept the call “${lineOf(action)}”: ${lineOf(status)} after ${lineOf(attempts)} attempts.${later}${last}`;
}

/** Decisions that can be signed on an intent in its state. */
const decisions: Readonly<Record<string, readonly (readonly [status: string, label: string])[]>> = {
  pending: [['approved', 'Approve']],
  prepared: [
    ['committed', 'Commit'],
    ['aborted', 'Abort'],
  ],
};

/** An intent whose moment has not come can be given up; until then nobody has to approve it. Ruling 89. */
function decisionsOn(record: ShownRecord): (typeof decisions)[string] {
  if (waitingIn(record).some((one) => one['for'] === 'moment')) return [['aborted', 'Abort']];
  return decisions[lineOf(record.meta['status'])] ?? [];
}

/** Buttons that sign a decision, each after a second look at what is signed. */
export function Decisions({
  record,
  path,
  again,
}: {
  readonly record: ShownRecord;
  readonly path: string;
  readonly again: () => void;
}) {
  const session = useSession();
  const [chosen, setChosen] = useState<string>();
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const open = decisionsOn(record);
  if (session.own === undefined || open.length === 0) return null;
  const sign = (status: string) => {
    setBusy(true);
    setError(undefined);
    session
      .prove(`${path}/proofs`, record, { status })
      .then(again, setError)
      .finally(() => {
        setBusy(false);
        setChosen(undefined);
      });
  };
  return (
    <fieldset class="decide" aria-label="Decide">
      {chosen === undefined ? (
        open.map(([status, label]) => (
          <button key={status} type="button" onClick={() => setChosen(status)}>
            {label}…
          </button>
        ))
      ) : (
        <>
          <p>
            You sign “{chosen}” over {lineOf(record.data['handle'])},{' '}
            <code>{record.hash.slice(0, 16)}…</code> with your key.
          </p>
          <button type="button" onClick={() => sign(chosen)} disabled={isBusy}>
            Sign
          </button>
          <button type="button" class="secondary" onClick={() => setChosen(undefined)}>
            Cancel
          </button>
        </>
      )}
      {error !== undefined && <Problem error={error} />}
    </fieldset>
  );
}
