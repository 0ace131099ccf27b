/** One wallet: its balances, their course over time, its statement, its limits and its proofs. */
import { BalanceChart } from './chart.tsx';
import { edgesIn } from './edges.ts';
import { Listed, Loaded, usePages, useReading, useRecord } from './loading.tsx';
import { Amount, Fields, Moment, RecordLink, Table } from './parts.tsx';
import { type FactRow, Facts, ProofsSection, RecordHead } from './record.tsx';
import { goTo, type PagePlace } from './route.ts';
import { type ShownRecord, useSession } from './session.ts';
import { lineOf, momentOf } from './text.ts';

const dayMs = 86_400_000;
/** The periods of a statement, in days. */
const periods: Readonly<Record<string, number>> = {
  '1': 1,
  '7': 7,
  '30': 30,
  '90': 90,
  '365': 365,
};
const usualPeriod = '30';

export function WalletScreen({
  handle,
  place,
}: {
  readonly handle: string;
  readonly place: PagePlace;
}) {
  const path = `/wallets/${encodeURIComponent(handle)}`;
  const reading = useRecord(path);
  return (
    <>
      <RecordHead reading={reading} name={handle} kind="Wallet" />
      <Loaded reading={reading}>
        {(read) => (
          <>
            <Facts read={read} rows={bridgeRow(read.answer)} raw={['routes']} />
            <Money handle={handle} path={path} place={place} />
            <Limits path={path} />
            <ProofsSection read={read} />
          </>
        )}
      </Loaded>
    </>
  );
}

interface MoneyProps {
  readonly handle: string;
  readonly path: string;
  readonly place: PagePlace;
}

function Money({ handle, path, place }: MoneyProps) {
  const balances = usePages(`${path}/balances`, { 'page.limit': 100 });
  const rows = balances.result?.rows;
  return (
    <section aria-labelledby="balances">
      <h2 id="balances">Balances</h2>
      <Listed reading={balances} empty="This wallet never had a balance.">
        {(some) => <Balances rows={some} />}
      </Listed>
      {rows && <Statement handle={handle} path={path} symbols={symbolsIn(rows)} place={place} />}
    </section>
  );
}

function bridgeRow({ data: { bridge } }: ShownRecord): readonly FactRow[] {
  return bridge === undefined
    ? []
    : [['Bridge', <RecordLink key="bridge" group="bridges" of={bridge} />]];
}

function symbolsIn(balances: readonly ShownRecord[]): string[] {
  return [...new Set(balances.map(({ data }) => lineOf(data['symbol'])))];
}

function Balances({ rows }: { readonly rows: readonly ShownRecord[] }) {
  const amountIn = (symbol: string, schema: string) =>
    rows.find(({ data }) => data['symbol'] === symbol && data['schema'] === schema)?.data['amount'];
  return (
    <ul class="tiles">
      {symbolsIn(rows).map((symbol) => (
        <li key={symbol} class="card">
          <p class="quiet">Available</p>
          <p class="large">
            <Amount of={amountIn(symbol, 'available')} symbol={symbol} />
          </p>
          {amountIn(symbol, 'reserved') !== undefined && (
            <p class="quiet">
              <Amount of={amountIn(symbol, 'reserved')} symbol={symbol} /> reserved
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}

/** The entries of a symbol in a period, their chart, and the balances before and after. */
function Statement({
  handle,
  path,
  symbols,
  place,
}: MoneyProps & { readonly symbols: readonly string[] }) {
  const { symbol = symbols[0], days = usualPeriod } = place.query;
  if (symbol === undefined) return null;
  const choose = (change: PagePlace['query']) =>
    goTo(['wallets', handle], { symbol, days, ...change });
  return (
    <section aria-labelledby="statement">
      <div class="head">
        <h2 id="statement">Statement</h2>
        <form class="filters">
          <label>
            Symbol
            <select onChange={({ currentTarget }) => choose({ symbol: currentTarget.value })}>
              {symbols.map((one) => (
                <option key={one} selected={one === symbol}>
                  {one}
                </option>
              ))}
            </select>
          </label>
          <label>
            Period
            <select onChange={({ currentTarget }) => choose({ days: currentTarget.value })}>
              {Object.keys(periods).map((one) => (
                <option key={one} value={one} selected={one === days}>
                  {one === '1' ? '24 hours' : `${one} days`}
                </option>
              ))}
              <option value="all" selected={days === 'all'}>
                All
              </option>
            </select>
          </label>
        </form>
      </div>
      <Entries key={`${symbol} ${days}`} path={path} symbol={symbol} days={days} />
    </section>
  );
}

/** The beginning of a period that ends now; undefined for all of the past. */
function fromOf(days: string): string | undefined {
  const count = periods[days];
  return count === undefined ? undefined : new Date(Date.now() - count * dayMs).toISOString();
}

function Entries({
  path,
  symbol,
  days,
}: {
  readonly path: string;
  readonly symbol: string;
  readonly days: string;
}) {
  const from = fromOf(days)?.replace(/:\d\d\.\d{3}Z$/, ':00.000Z');
  const query = { symbol, ...(from !== undefined && { from }) };
  const reading = usePages(`${path}/entries`, { ...query, 'page.limit': 50 });
  return (
    <>
      <BalanceChart path={path} query={query} symbol={symbol} />
      <Loaded reading={reading}>{({ meta }) => <Edges meta={meta} symbol={symbol} />}</Loaded>
      <Listed reading={reading} empty="Nothing moved this balance in the period.">
        {(rows) => (
          <Table
            label={`Entries in ${symbol}`}
            rows={rows}
            nameOf={({ data }, index) => `${lineOf(data['handle'])} ${index}`}
            columns={[
              { head: 'Moment', cell: ({ data }) => <Moment at={data['moment']} /> },
              {
                head: 'Intent',
                cell: ({ data }) => <RecordLink group="intents" of={data['intent']} />,
              },
              {
                head: 'Counterparty',
                cell: ({ data }) =>
                  data['counterparty'] === undefined ? (
                    ''
                  ) : (
                    <RecordLink group="wallets" of={data['counterparty']} />
                  ),
              },
              {
                head: 'Debit',
                isNumber: true,
                cell: ({ data }) =>
                  data['schema'] === 'debit' && <Amount of={data['amount']} symbol={symbol} />,
              },
              {
                head: 'Credit',
                isNumber: true,
                cell: ({ data }) =>
                  data['schema'] === 'credit' && <Amount of={data['amount']} symbol={symbol} />,
              },
              {
                head: 'Balance',
                isNumber: true,
                cell: ({ data }) => <Amount of={data['balance']} symbol={symbol} />,
              },
            ]}
          />
        )}
      </Listed>
    </>
  );
}

/** The balances before and after all of the entries. */
function Edges({
  meta,
  symbol,
}: {
  readonly meta: Readonly<Record<string, unknown>>;
  readonly symbol: string;
}) {
  const session = useSession();
  const reading = useReading(`edges ${JSON.stringify(meta['opening'])}`, async () =>
    edgesIn(session, meta),
  );
  return (
    <Loaded reading={reading}>
      {({ opening, closing }) => (
        <Fields
          rows={[opening, closing].map(({ data }) => [
            `${data['schema'] === 'opening' ? 'Opening' : 'Closing'} balance, ${momentOf(data['moment'])} UTC`,
            <Amount key={lineOf(data['schema'])} of={data['balance']} symbol={symbol} />,
          ])}
        />
      )}
    </Loaded>
  );
}

function Limits({ path }: { readonly path: string }) {
  const reading = usePages(`${path}/limits`, { 'page.limit': 100 });
  if (reading.result?.rows.length === 0) return null;
  return (
    <section aria-labelledby="limits">
      <h2 id="limits">Limits</h2>
      <Listed reading={reading} empty="">
        {(rows) => (
          <Table
            label="Limits"
            rows={rows}
            nameOf={({ hash }) => hash}
            columns={[
              { head: 'Limit', cell: ({ data }) => lineOf(data['metric']) },
              {
                head: 'Amount',
                isNumber: true,
                cell: ({ data }) =>
                  data['metric'] === 'dailyCount' ? (
                    `${lineOf(data['amount'])} ${lineOf(data['symbol'])}`
                  ) : (
                    <Amount of={data['amount']} symbol={data['symbol']} />
                  ),
              },
            ]}
          />
        )}
      </Listed>
    </section>
  );
}
