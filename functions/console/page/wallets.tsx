/** The wallets with their balances. */
import { Filters, literally } from './filters.tsx';
import { Listed, Loaded, usePages, useRows } from './loading.tsx';
import { Amount, Head, Moment, RecordLink, Status, Table } from './parts.tsx';
import type { PagePlace } from './route.ts';
import type { ReadQuery, ShownRecord } from './session.ts';
import { lineOf } from './text.ts';

/** The most balances of a wallet in the list; its own screen has all of them. */
const balanceCountMax = 20;

export function WalletsScreen({ place }: { readonly place: PagePlace }) {
  const reading = usePages('/wallets', { ...queryOf(place), 'page.limit': 20 });
  return (
    <>
      <Head title="Wallets" />
      <Filters
        place={place}
        filters={[
          { name: 'handle', label: 'Handle contains' },
          { name: 'schema', label: 'Schema' },
          { name: 'bridge', label: 'Bridge' },
          { name: 'status', label: 'Status', values: ['created', 'active', 'inactive'] },
        ]}
      />
      <Listed reading={reading} empty="There are no such wallets.">
        {(rows) => <Wallets rows={rows} />}
      </Listed>
    </>
  );
}

function queryOf({ query: { handle, schema, bridge, status } }: PagePlace): ReadQuery {
  return {
    ...(handle && { 'data.handle.$regex': literally(handle) }),
    ...(schema && { 'data.schema': schema }),
    ...(bridge && { 'data.bridge': bridge }),
    ...(status && { 'meta.status': status }),
  };
}

function Wallets({ rows }: { readonly rows: readonly ShownRecord[] }) {
  return (
    <Table
      label="Wallets"
      rows={rows}
      nameOf={({ luid = '' }) => luid}
      columns={[
        { head: 'Wallet', cell: ({ data }) => <RecordLink group="wallets" of={data['handle']} /> },
        { head: 'Schema', cell: ({ data }) => lineOf(data['schema']) },
        { head: 'Domain', cell: ({ meta }) => lineOf(meta['domain']) },
        {
          head: 'Bridge',
          cell: ({ data }) =>
            data['bridge'] === undefined ? '' : <RecordLink group="bridges" of={data['bridge']} />,
        },
        { head: 'Status', cell: ({ meta }) => <Status of={meta['status']} /> },
        { head: 'Changed', cell: ({ meta }) => <Moment at={meta['moment']} /> },
        {
          head: 'Available',
          isNumber: true,
          cell: ({ data }) => <Available wallet={lineOf(data['handle'])} />,
        },
      ]}
    />
  );
}

/** The available balances of a wallet, a line for each symbol. */
function Available({ wallet }: { readonly wallet: string }) {
  const path = `/wallets/${encodeURIComponent(wallet)}/balances`;
  const reading = useRows(path, { 'page.limit': balanceCountMax, 'page.cursor': '' });
  return (
    <Loaded reading={reading}>
      {({ answer, verdict }) => {
        if (!verdict.isProven) return <span class="seal bad">Not verified</span>;
        const rows = answer.data.filter(({ data }) => data['schema'] === 'available');
        if (rows.length === 0) return <span class="quiet">nothing</span>;
        return (
          <>
            {rows.map(({ hash, data }) => (
              <div key={hash}>
                <Amount of={data['amount']} symbol={data['symbol']} />
              </div>
            ))}
            {answer.page?.next !== undefined && <div class="quiet">and more</div>}
          </>
        );
      }}
    </Loaded>
  );
}
