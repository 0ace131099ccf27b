/** The intents, newest change first. */
import { Claims } from './claims.tsx';
import { Filters } from './filters.tsx';
import { Listed, usePages } from './loading.tsx';
import { Head, Moment, RecordLink, Status, Table } from './parts.tsx';
import type { PagePlace } from './route.ts';
import type { ReadQuery } from './session.ts';

const statuses = ['pending', 'processing', 'prepared', 'committed', 'completed', 'rejected'];

export function IntentsScreen({ place }: { readonly place: PagePlace }) {
  const reading = usePages('/intents', { ...queryOf(place), 'page.limit': 20 });
  return (
    <>
      <Head title="Intents" />
      <Filters
        place={place}
        filters={[
          { name: 'words', label: 'Words' },
          { name: 'source', label: 'From wallet' },
          { name: 'target', label: 'To wallet' },
          { name: 'symbol', label: 'Symbol' },
          { name: 'status', label: 'Status', values: statuses },
        ]}
      />
      <Listed reading={reading} empty="There are no such intents.">
        {(rows) => (
          <Table
            label="Intents"
            rows={rows}
            nameOf={({ luid = '' }) => luid}
            columns={[
              {
                head: 'Intent',
                cell: ({ data }) => <RecordLink group="intents" of={data['handle']} />,
              },
              { head: 'Claims', cell: (row) => <Claims of={row} most={3} /> },
              { head: 'Status', cell: ({ meta }) => <Status of={meta['status']} /> },
              { head: 'Changed', cell: ({ meta }) => <Moment at={meta['moment']} /> },
            ]}
          />
        )}
      </Listed>
    </>
  );
}

function queryOf({ query: { words, source, target, symbol, status } }: PagePlace): ReadQuery {
  return {
    ...(words && { $plainTextQuery: words }),
    ...(source && { 'data.claims.source': source }),
    ...(target && { 'data.claims.target': target }),
    ...(symbol && { 'data.claims.symbol': symbol }),
    ...(status && { 'meta.status': status }),
  };
}
