/** Intents that wait for an approval or a decision, for whose, and the buttons that sign it. */
import { Claims } from './claims.tsx';
import { Decisions, Waiting } from './decisions.tsx';
import { type Eyes, readEyes, type SeenPolicy, seenBy } from './eyes.ts';
import { Listed, Loaded, problemOf, usePages, useReading, useRecord } from './loading.tsx';
import { Head, Moment, RecordLink, Status } from './parts.tsx';
import { Seal } from './seal.tsx';
import { type ShownRecord, useSession } from './session.ts';
import { lineOf } from './text.ts';

export function ApprovalsScreen() {
  const session = useSession();
  const eyes = useReading('policies', () =>
    readEyes(session).catch((error: unknown) => ({ problem: problemOf(error) })),
  );
  return (
    <>
      <Head title="Approvals" />
      <Loaded reading={eyes}>
        {(found) => (
          <>
            {'problem' in found && (
              <p class="problem">The policies cannot be read. {found.problem}</p>
            )}
            <Queue
              title="Wait for signatures"
              status="pending"
              eyes={'problem' in found ? undefined : found}
            />
            <Queue
              title="Wait for a decision"
              status="prepared"
              eyes={'problem' in found ? undefined : found}
            />
          </>
        )}
      </Loaded>
    </>
  );
}

function Queue({
  title,
  status,
  eyes,
}: {
  readonly title: string;
  readonly status: string;
  readonly eyes: Eyes | undefined;
}) {
  const reading = usePages('/intents', { 'meta.status': status, 'page.limit': 10 });
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <Listed reading={reading} empty="Nothing waits here.">
        {(rows) => (
          <ul class="cards">
            {rows.map(({ luid = '' }) => (
              <Waits key={luid} luid={luid} eyes={eyes} />
            ))}
          </ul>
        )}
      </Listed>
    </section>
  );
}

/** One intent that waits. It is read by itself, so that each of its proofs is verified before anything is signed. */
function Waits({ luid, eyes }: { readonly luid: string; readonly eyes: Eyes | undefined }) {
  const path = `/intents/${encodeURIComponent(luid)}`;
  const reading = useRecord(path);
  return (
    <li class="card">
      <Loaded reading={reading}>
        {({ answer, verdict }) => (
          <>
            <div class="head">
              <h3>
                <RecordLink group="intents" of={answer.data['handle']} />
              </h3>
              <span>
                <Status of={answer.meta['status']} /> <Moment at={answer.meta['moment']} />
              </span>
            </div>
            <Claims of={answer} most={5} />
            <Waiting record={answer} />
            {eyes && verdict.isProven && <Quorums eyes={eyes} intent={answer} />}
            <Seal verdict={verdict} />
            {verdict.isProven && <Decisions record={answer} path={path} again={reading.again} />}
          </>
        )}
      </Loaded>
    </li>
  );
}

/** The policies about an intent, with who signed and who is missing. */
function Quorums({ eyes, intent }: { readonly eyes: Eyes; readonly intent: ShownRecord }) {
  const session = useSession();
  const name = `quorums of ${lineOf(intent.luid)} ${lineOf(intent.meta['status'])} ${JSON.stringify(intent.meta['proofs'])}`;
  const reading = useReading(name, () =>
    seenBy(session, eyes, intent).catch((error: unknown) => problemOf(error)),
  );
  return (
    <Loaded reading={reading}>
      {(seen) => {
        if (typeof seen === 'string')
          return <p class="quiet">Its policies cannot be judged here. {seen}</p>;
        if (seen.length === 0) return <p class="quiet">No policy asks for further signers.</p>;
        return (
          <ul class="quorums">
            {seen.map((one) => (
              <Quorum key={`${one.policy} ${one.status}`} seen={one} />
            ))}
          </ul>
        );
      }}
    </Loaded>
  );
}

function Quorum({ seen: { policy, status, quorums, isMet } }: { readonly seen: SeenPolicy }) {
  return (
    <li>
      Policy <RecordLink group="policies" of={policy} /> on “{status}”:{' '}
      {isMet ? 'its quorum is met' : 'its quorum is not met yet'}
      {quorums.map((quorum, index) => (
        <ul key={quorum.map(({ whom }) => whom).join()}>
          {index > 0 && <li class="quiet">or</li>}
          {quorum.map(({ whom, by, isOwn }, place) => (
            <li key={`${place} ${whom}`}>
              {by === undefined ? `Waits for ${whom}` : `Signed by ${lineOf(by)}, as ${whom}`}
              {by === undefined && isOwn && <strong> (you may)</strong>}
            </li>
          ))}
        </ul>
      ))}
    </li>
  );
}
