/** The course of a balance over time, as a chart with its words. */
import './language.ts';
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { type Edges, edgesIn } from './edges.ts';
import { Loaded, useReading } from './loading.tsx';
import { useFactor } from './parts.tsx';
import { type ReadQuery, type ShownRecord, useSession } from './session.ts';
import { amountOf, momentOf } from './text.ts';

const pageLength = 100;
/** The most entries of a chart. */
const entryCountMax = 1_000;
const height = 220;

interface Course {
  /** The moments, in seconds since 1970, and the balances from then on. */
  readonly points: readonly (readonly [second: number, balance: number | bigint])[];
  /** True where the period has more entries. */
  readonly isPartial: boolean;
}

export function BalanceChart({
  path,
  query,
  symbol,
}: {
  readonly path: string;
  readonly query: ReadQuery;
  readonly symbol: string;
}) {
  const session = useSession();
  const { factor, isKnown } = useFactor(symbol);
  const reading = useReading(`${path} ${JSON.stringify(query)}`, async (): Promise<Course> => {
    const rows: ShownRecord[] = [];
    let edges: Edges | undefined;
    let next: string | undefined = '';
    while (next !== undefined && rows.length < entryCountMax) {
      const page: ReadQuery = { ...query, 'page.limit': pageLength, 'page.cursor': next };
      const { answer, verdict } = await session.list(`${path}/entries`, page);
      if (!verdict.isProven) throw new Error(verdict.problems.join(' '));
      rows.push(...answer.data);
      edges ??= edgesIn(session, answer.meta);
      next = answer.page?.next;
    }
    return { points: pointsOf(rows, edges, next !== undefined), isPartial: next !== undefined };
  });
  return (
    <Loaded reading={reading}>
      {({ points, isPartial }) =>
        isKnown && points.length > 1 ? (
          <Drawn points={points} isPartial={isPartial} factor={factor} symbol={symbol} />
        ) : null
      }
    </Loaded>
  );
}

function pointsOf(
  rows: readonly ShownRecord[],
  edges: Edges | undefined,
  isPartial: boolean,
): Course['points'] {
  const point = ({ data }: ShownRecord) =>
    [Date.parse(String(data['moment'])) / 1000, data['balance'] as number | bigint] as const;
  const { opening, closing } = edges ?? {};
  const all = [
    ...(opening ? [point(opening)] : []),
    ...rows.map(point),
    ...(closing && !isPartial ? [point(closing)] : []),
  ];
  return all.filter(([second]) => Number.isFinite(second));
}

function Drawn({
  points,
  isPartial,
  factor,
  symbol,
}: Course & { readonly factor: number | undefined; readonly symbol: string }) {
  const place = useRef<HTMLDivElement>(null);
  const unit = factor ?? 1;
  useEffect(() => {
    const node = place.current;
    if (!node) return undefined;
    const data: uPlot.AlignedData = [
      points.map(([second]) => second),
      points.map(([, balance]) => Number(balance) / unit),
    ];
    let chart: uPlot | undefined;
    const draw = () => {
      chart?.destroy();
      chart = new uPlot(optionsFor(node, symbol), data, node);
    };
    draw();
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    scheme.addEventListener('change', draw);
    const resized = new ResizeObserver(() => chart?.setSize({ width: node.clientWidth, height }));
    resized.observe(node);
    return () => {
      scheme.removeEventListener('change', draw);
      resized.disconnect();
      chart?.destroy();
    };
  }, [points, unit, symbol]);
  return (
    <figure class="chart">
      <div ref={place} role="img" aria-label={wordsOf(points, factor, symbol)} />
      {isPartial && (
        <figcaption>
          The first {points.length - 1} entries of the period; choose a shorter one to see all.
        </figcaption>
      )}
    </figure>
  );
}

function optionsFor(node: HTMLElement, symbol: string): uPlot.Options {
  const style = getComputedStyle(node);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const axis = { stroke: colour('--quiet'), grid: { stroke: colour('--line'), width: 1 } };
  return {
    width: node.clientWidth,
    height,
    tzDate: (second) => uPlot.tzDate(new Date(second * 1000), 'Etc/UTC'),
    ms: 1e-3,
    legend: { show: false },
    cursor: { drag: { x: false, y: false } },
    axes: [
      { ...axis, space: 90, values: (_, seconds) => seconds.map(tickOf(seconds)) },
      { ...axis, size: 78 },
    ],
    series: [
      {},
      {
        label: symbol,
        stroke: colour('--accent'),
        fill: colour('--accent-faint'),
        width: 2,
        ...(uPlot.paths.stepped && { paths: uPlot.paths.stepped({ align: 1 }) }),
        points: { show: false },
      },
    ],
  };
}

/** The texts of the ticks: a day, or the time of a day, in UTC. */
function tickOf(seconds: readonly number[]): (second: number) => string {
  const step = (seconds[1] ?? 0) - (seconds[0] ?? 0);
  const [from, to] = step >= 86_400 ? [0, 10] : step >= 60 ? [11, 16] : [11, 19];
  return (second) => new Date(second * 1000).toISOString().slice(from, to);
}

/** The chart in words, for who does not see it. */
function wordsOf(points: Course['points'], factor: number | undefined, symbol: string): string {
  const balances = points.map(([, balance]) => balance);
  const text = (balance: number | bigint | undefined) => amountOf(balance, factor);
  const least = balances.reduce((one, other) => (other < one ? other : one));
  const most = balances.reduce((one, other) => (other > one ? other : one));
  const at = (index: number) =>
    momentOf(new Date((points.at(index)?.[0] ?? 0) * 1000).toISOString());
  return `Balance in ${symbol} from ${at(0)} to ${at(-1)} UTC: from ${text(balances[0])} to ${text(balances.at(-1))}, least ${text(least)}, most ${text(most)}.`;
}
