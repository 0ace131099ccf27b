/** One intent: what it moves, what it waits for, what may be decided, and its timeline of proofs. */
import { useEffect, useState } from 'preact/hooks';
import { verifyReceipt } from '../../../shared/client/client.ts';
import { Claims } from './claims.tsx';
import { Decisions, Waiting } from './decisions.tsx';
import { Loaded, useReading, useRecord } from './loading.tsx';
import { RecordLink } from './parts.tsx';
import { Proofs } from './proofs.tsx';
import { Facts, RecordHead } from './record.tsx';
import { type Read, type ShownRecord, useSession } from './session.ts';
import { lineOf } from './text.ts';

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
      <RecordHead reading={reading} name={handle} kind="Intent" />
      <Loaded reading={reading}>
        {(read) => (
          <>
            <IntentFacts read={read} />
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

function IntentFacts({ read }: { readonly read: Read<ShownRecord> }) {
  const { data } = read.answer;
  const { reverses } = data;
  return (
    <Facts
      read={read}
      raw={['config']}
      rows={
        reverses === undefined
          ? []
          : [['Reverses', <RecordLink key="reverses" group="intents" of={reverses} />]]
      }
    >
      <div class="claims-large">
        <Claims of={read.answer} />
      </div>
      <Waiting record={read.answer} />
    </Facts>
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
    const receipt = verifyReceipt(answer, { key: session.key, signer: session.system });
    // A receipt proves what it is of, which is another intent where somebody has exchanged it.
    return {
      ...{ isProven: receipt.isProven && verdict.isProven, facts: receipt.facts },
      faults: [...new Set([...receipt.faults, ...verdict.problems])],
    };
  });
  return (
    <Loaded reading={reading}>
      {({ isProven, facts, faults }) =>
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
