/** The deliveries of effects and bridges, each with its attempts, and a button that sends it again. */
import { useEffect, useState } from 'preact/hooks';
import { Listed, Loaded, Problem, usePages, useReading } from './loading.tsx';
import { Head, Moment, Raw, Status, Table, To } from './parts.tsx';
import { placeOfLuid } from './places.ts';
import { goTo, type PagePlace } from './route.ts';
import { type Newest, type ReadQuery, type ShownRecord, useSession } from './session.ts';
import { lineOf } from './text.ts';
import { detailOf, membersOf } from './whom.ts';

const pollMs = 2_000;
const pageLength = 20;
const subjectCountMax = 1000;
const statuses = ['pending', 'running', 'delivered', 'failed', 'cancelled'];

/** An effect or a bridge: its group and its handle. */
type Subject = readonly [group: 'effects' | 'bridges', handle: string];

export function DeliveriesScreen({ place }: { readonly place: PagePlace }) {
  const session = useSession();
  const reading = useReading('subjects', async () => {
    const [effects, bridges] = await Promise.all([
      session.newest('/effects', subjectCountMax),
      session.newest('/bridges', subjectCountMax),
    ]);
    const named = (group: Subject[0], { rows }: Newest) =>
      rows.map(({ data }) => [group, String(data['handle'])] as const);
    return {
      subjects: [...named('effects', effects), ...named('bridges', bridges)],
      isPartial: effects.isPartial || bridges.isPartial,
    };
  });
  return (
    <>
      <Head title="Deliveries" />
      <Loaded reading={reading}>
        {({ subjects, isPartial }) => (
          <>
            {subjects.length === 0 ? (
              <p class="empty">There are no effects and no bridges, so nothing is delivered.</p>
            ) : (
              <OfSubject subjects={subjects} place={place} />
            )}
            {isPartial && (
              <p class="quiet">
                Of the effects, and of the bridges, the newest {subjectCountMax} are named.
              </p>
            )}
          </>
        )}
      </Loaded>
    </>
  );
}

function OfSubject({
  subjects,
  place,
}: {
  readonly subjects: readonly Subject[];
  readonly place: PagePlace;
}) {
  const nameOf = (subject: Subject) => subject.join('/');
  const { of, status = '' } = place.query;
  const chosen = subjects.find((one) => nameOf(one) === of) ?? (subjects[0] as Subject);
  const choose = (change: PagePlace['query']) =>
    goTo(['deliveries'], { of: nameOf(chosen), status, ...change });
  return (
    <>
      <form class="filters">
        <label>
          Of
          <select onChange={({ currentTarget }) => choose({ of: currentTarget.value })}>
            {subjects.map((one) => (
              <option key={nameOf(one)} value={nameOf(one)} selected={one === chosen}>
                {one[0] === 'effects' ? 'effect' : 'bridge'} {one[1]}
              </option>
            ))}
          </select>
        </label>
        <label>
          Status
          <select onChange={({ currentTarget }) => choose({ status: currentTarget.value })}>
            <option value="">any</option>
            {statuses.map((one) => (
              <option key={one} selected={one === status}>
                {one}
              </option>
            ))}
          </select>
        </label>
      </form>
      <Deliveries
        key={`${nameOf(chosen)} ${status}`}
        of={chosen}
        query={status === '' ? {} : { 'meta.status': status }}
        empty="There are no such deliveries."
      />
    </>
  );
}

/** The deliveries of an effect or a bridge; those under way are read again until they have ended. */
export function Deliveries({
  of: [group, handle],
  query,
  empty,
}: {
  readonly of: Subject;
  readonly query: ReadQuery;
  readonly empty: string;
}) {
  const path = `/${group}/${encodeURIComponent(handle)}/events`;
  const reading = usePages(path, { ...query, 'page.limit': pageLength });
  const { result, again } = reading;
  // Reading again begins at the first page, and would take away the others.
  const isUnderWay =
    result !== undefined &&
    result.rows.length <= pageLength &&
    result.rows.some(({ meta }) => ['pending', 'running'].includes(lineOf(meta['status'])));
  useEffect(() => {
    if (!isUnderWay) return undefined;
    const timer = setInterval(again, pollMs);
    return () => clearInterval(timer);
  }, [isUnderWay, again]);
  return (
    <Listed reading={reading} empty={empty}>
      {(rows) => (
        <Table
          label="Deliveries"
          rows={rows}
          nameOf={({ luid = '' }) => luid}
          columns={[
            {
              head: 'Event',
              cell: ({ data }) => <code class="long">{lineOf(data['handle'])}</code>,
            },
            { head: 'Says', cell: (row) => lineOf(signalOf(row)) },
            { head: 'About', cell: ({ data }) => <Linked luid={lineOf(data['linked'])} /> },
            { head: 'Status', cell: ({ meta }) => <Status of={meta['status']} /> },
            { head: 'Accepted', cell: ({ meta }) => <Moment at={meta['moment']} /> },
            { head: 'Attempts', cell: (row) => <Attempts of={row} /> },
            { head: 'Again', cell: (row) => <Retry of={row} path={path} again={again} /> },
          ]}
        />
      )}
    </Listed>
  );
}

function signalOf({ data }: ShownRecord): unknown {
  const { signal } = membersOf(membersOf(data['record'])['data']);
  return data['action'] ?? signal;
}

function Linked({ luid }: { readonly luid: string }) {
  const path = placeOfLuid(luid);
  return path ? <To path={path}>{luid}</To> : <span>{luid}</span>;
}

/** The attempts, of which each has a proof of the ledger, and the last failure. */
function Attempts({ of: { meta } }: { readonly of: ShownRecord }) {
  const proofs = Array.isArray(meta['proofs']) ? meta['proofs'] : [];
  const said = proofs.map((proof) => membersOf(membersOf(proof)['custom']));
  const attempts = said.filter(({ status }) => status === 'delivered' || status === 'failed');
  const last = said.findLast(({ reason }) => reason !== undefined);
  const isFailure = last !== undefined && meta['status'] !== 'delivered';
  return (
    <div>
      {attempts.length}
      {isFailure && (
        <div class="quiet">
          {lineOf(last['reason'])} {detailOf(last['detail'])}
        </div>
      )}
      {attempts.length > 0 && <Raw title="Statements" value={said} />}
    </div>
  );
}

function Retry({
  of,
  path,
  again,
}: {
  readonly of: ShownRecord;
  readonly path: string;
  readonly again: () => void;
}) {
  const session = useSession();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const handle = lineOf(of.data['handle']);
  if (session.own === undefined || of.meta['status'] === 'running') return null;
  const retry = () => {
    setBusy(true);
    setError(undefined);
    session
      .post(`${path}/retry`, { handle })
      .then(again, setError)
      .finally(() => setBusy(false));
  };
  return (
    <>
      <button
        type="button"
        class="secondary small"
        disabled={isBusy}
        aria-label={`Retry ${handle}`}
        onClick={retry}
      >
        Retry
      </button>
      {error !== undefined && <Problem error={error} />}
    </>
  );
}
