/** The bridges: where they are, and what waits for them. */
import { Waiting, waitingIn } from './decisions.tsx';
import { Deliveries } from './deliveries.tsx';
import { Listed, Loaded, usePages, useReading, useRecord } from './loading.tsx';
import { Head, Moment, RecordLink, Status, Table } from './parts.tsx';
import { Facts, ProofsSection, RecordHead } from './record.tsx';
import { Seal } from './seal.tsx';
import { type Read, type ShownRecord, useSession } from './session.ts';
import { lineOf } from './text.ts';
import { membersOf } from './whom.ts';

/** The most intents under way that are looked through. */
const intentCountMax = 50;

export function BridgesScreen() {
  const reading = usePages('/bridges', { 'page.limit': 50 });
  return (
    <>
      <Head title="Bridges" />
      <Listed reading={reading} empty="There are no bridges.">
        {(rows) => (
          <Table
            label="Bridges"
            rows={rows}
            nameOf={({ luid = '' }) => luid}
            columns={[
              {
                head: 'Bridge',
                cell: ({ data }) => <RecordLink group="bridges" of={data['handle']} />,
              },
              { head: 'Server', cell: ({ data }) => lineOf(membersOf(data['config'])['server']) },
              { head: 'Status', cell: ({ meta }) => <Status of={meta['status']} /> },
              { head: 'Changed', cell: ({ meta }) => <Moment at={meta['moment']} /> },
            ]}
          />
        )}
      </Listed>
      <section aria-labelledby="under-way">
        <h2 id="under-way">Intents that wait for bridges</h2>
        <UnderWay />
      </section>
    </>
  );
}

export function BridgeScreen({ handle }: { readonly handle: string }) {
  const reading = useRecord(`/bridges/${encodeURIComponent(handle)}`);
  return (
    <>
      <RecordHead reading={reading} name={handle} kind="Bridge" />
      <Loaded reading={reading}>
        {(read) => {
          const own = lineOf(read.answer.data['handle']);
          return (
            <>
              <Facts
                read={read}
                rows={[['Server', lineOf(membersOf(read.answer.data['config'])['server'])]]}
                raw={['config', 'traits', 'secure']}
              />
              <section aria-labelledby="under-way">
                <h2 id="under-way">Intents that wait for it</h2>
                <UnderWay bridge={own} />
              </section>
              <section aria-labelledby="calls">
                <h2 id="calls">Calls to it</h2>
                <Deliveries of={['bridges', own]} query={{}} empty="It was never called." />
              </section>
              <ProofsSection read={read} />
            </>
          );
        }}
      </Loaded>
    </>
  );
}

/** Intents under way that wait for this bridge, or for any. */
function UnderWay({ bridge }: { readonly bridge?: string }) {
  const session = useSession();
  const reading = useReading(`under way ${bridge}`, async () => {
    const { rows, isPartial } = await session.newest('/intents', intentCountMax, {
      'meta.status.$in': ['processing', 'committed'],
    });
    const reads = await Promise.all(
      rows.map(({ luid = '' }) => session.read(`/intents/${encodeURIComponent(luid)}`)),
    );
    const waits = ({ answer }: Read<ShownRecord>) =>
      waitingIn(answer).some(
        (one) => one['for'] === 'bridge' && (bridge === undefined || one['bridge'] === bridge),
      );
    return { waiting: reads.filter(waits), isPartial };
  });
  return (
    <Loaded reading={reading}>
      {({ waiting, isPartial }) => (
        <>
          {waiting.length === 0 && <p class="empty">Nothing waits.</p>}
          <ul class="cards">
            {waiting.map(({ answer, verdict }) => (
              <li key={answer.luid} class="card">
                <h3>
                  <RecordLink group="intents" of={answer.data['handle']} />
                </h3>
                <Waiting record={answer} />
                <Seal verdict={verdict} />
              </li>
            ))}
          </ul>
          {isPartial && (
            <p class="quiet">The newest {intentCountMax} intents under way were looked through.</p>
          )}
        </>
      )}
    </Loaded>
  );
}
