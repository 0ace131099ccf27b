/** One intent: what it moves, what it waits for, what may be decided, and its timeline of proofs. */
import { useEffect, useState } from 'preact/hooks';
import { verifyReceipt } from '../../../shared/client/client.ts';
import { Claims } from './claims.tsx';
import { Loaded, Problem, useReading, useRecord } from './loading.tsx';
import { Copied, Fields, Head, Moment, Raw, RecordLink, Status } from './parts.tsx';
import { Proofs } from './proofs.tsx';
import { Seal } from './seal.tsx';
import { type Read, type ShownRecord, useSession } from './session.ts';
import { lineOf, momentOf } from './text.ts';

const pollMs = 2_000;
const ended = ['completed', 'rejected'];

export function IntentScreen({ handle }: { readonly handle: string }) {
  const path = `/intents/${encodeURIComponent(handle)}`;
  const reading = useRecord(path);
  const { result, again } = reading;
  const status = result?.answer.meta['status'];
  const isUnderWay = result !== undefined && !ended.includes(String(status));
  useEffect(() => {
    if (!isUnderWay) return undefined;
    const timer = setInterval(again, pollMs);
    return () => clearInterval(timer);
  }, [isUnderWay, again]);
  return (
    <>
      <Head title={handle} kind="Intent" />
      <Loaded reading={reading}>
        {(read) => (
          <>
            <Facts read={read} />
            {read.verdict.isProven && <Decisions record={read.answer} path={path} again={again} />}
            <section aria-labelledby="timeline">
              <h2 id="timeline">Timeline of proofs</h2>
              <Proofs proofs={read.verdict.proofs} />
            </section>
            <Receipt path={path} name={read.answer.hash + lineOf(status)} />
          </>
        )}
      </Loaded>
    </>
  );
}

function Facts({ read: { answer, verdict } }: { readonly read: Read<ShownRecord> }) {
  const { luid = '', hash, data, meta } = answer;
  const { schema, config, custom, reverses, access } = data;
  return (
    <section class="card" aria-label="Facts">
      <Seal verdict={verdict} />
      <div class="claims-large">
        <Claims of={answer} />
      </div>
      <Fields
        rows={[
          ['Status', <Status key="status" of={meta['status']} />],
          ['Schema', lineOf(schema)],
          [
            'Reverses',
            reverses !== undefined && <RecordLink key="r" group="intents" of={reverses} />,
          ],
          ['Changed', <Moment key="moment" at={meta['moment']} />],
          ['Luid', <Copied key="luid" text={luid} />],
          ['Hash', <Copied key="hash" text={hash} />],
        ]}
      />
      <Waiting record={answer} />
      {config !== undefined && <Raw title="Config" value={config} />}
      {access !== undefined && <Raw title="Access rules" value={access} />}
      {custom !== undefined && <Raw title="Custom" value={custom} />}
    </section>
  );
}

type WaitingFor = Readonly<Record<string, unknown>>;

export function waitingIn({ meta }: ShownRecord): readonly WaitingFor[] {
  const { waiting } = meta;
  return Array.isArray(waiting) ? (waiting as WaitingFor[]) : [];
}

/** What an intent waits for, a sentence each. */
export function Waiting({ record }: { readonly record: ShownRecord }) {
  const all = waitingIn(record);
  if (all.length === 0) return null;
  return (
    <div class="waiting">
      <strong>Waits</strong>
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
  const last = detail === undefined ? '' : ` Last failure: ${lineOf(detail)}.`;
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
  const open = decisions[lineOf(record.meta['status'])] ?? [];
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
            You sign “{chosen}” over <code>{record.hash.slice(0, 16)}…</code> with your key.
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

/** The receipt of its last change, verified against the log. */
function Receipt({ path, name }: { readonly path: string; readonly name: string }) {
  const session = useSession();
  const [isWanted, setWanted] = useState(false);
  return (
    <section aria-labelledby="receipt">
      <h2 id="receipt">Receipt</h2>
      {isWanted ? (
        <Verified path={`${path}/receipt`} name={`${name} ${session.key}`} />
      ) : (
        <button type="button" class="secondary small" onClick={() => setWanted(true)}>
          Verify its receipt against the log
        </button>
      )}
    </section>
  );
}

function Verified({ path, name }: { readonly path: string; readonly name: string }) {
  const session = useSession();
  const reading = useReading(`${path} ${name}`, async () => {
    const { answer, verdict } = await session.read(path);
    return { verdict, receipt: verifyReceipt(answer, { key: session.key }) };
  });
  return (
    <Loaded reading={reading}>
      {({ receipt: { isProven, facts, faults } }) =>
        isProven ? (
          <>
            <span class="seal good">Verified here: the log has this change</span>
            <ul>
              {facts.map((fact) => (
                <li key={fact}>{lineOf(fact)}</li>
              ))}
            </ul>
          </>
        ) : (
          <div class="seal bad" role="alert">
            <strong>Not verified.</strong>
            <ul>
              {faults.map((fault) => (
                <li key={fault}>{lineOf(fault)}</li>
              ))}
            </ul>
          </div>
        )
      }
    </Loaded>
  );
}
