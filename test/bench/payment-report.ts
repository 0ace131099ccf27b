/** Cost and speed of payments, as tables for people and as data for programs. */
import type { Consumed } from '../../shared/store/request.ts';
import type { PaymentStretch } from './payment-load.ts';
import { type Payment, workers } from './payment-rehearsal.ts';
import { fixed, quantileOf, rangeOf, tableOf } from './print.ts';
import { storedItemsOf } from './stored.ts';

const roundTripGoal = 8;
/** Four of them are condition checks on the two bridges of the decision. Decision 79. */
const writeUnitGoal = 64;

interface Cost {
  readonly roundTrips: number;
  readonly writeUnits: number;
  readonly readUnits: number;
}

/** Requests of each payment to the table, by API request and by worker. */
export function paymentCountsOf(payments: readonly Payment[]) {
  const [first] = payments;
  const requests = (first?.requests ?? []).map(({ request }, place) => {
    const same = payments.map((payment) => payment.requests[place]);
    const items = storedItemsOf({ exchanges: same[0]?.exchanges ?? [] });
    return {
      ...{ request, costs: same.map((one) => costOf(one?.consumed ?? [])) },
      operations: same[0]?.consumed.map(({ operation }) => operation) ?? [],
      items: items.map(({ name, bytes }) => (Number.isNaN(bytes) ? name : `${name} ${bytes}`)),
    };
  });
  const outside = workers.map((worker) => ({
    ...{ worker, costs: payments.map((payment) => costOf(payment.outside[worker])) },
  }));
  const inRequests = payments.map((payment) =>
    costOf(payment.requests.flatMap(({ consumed }) => consumed)),
  );
  const inSequence = payments.map(tripsInSequence);
  const inAll = payments.map(({ requests: asked, outside: told }) =>
    costOf([...asked.flatMap(({ consumed }) => consumed), ...Object.values(told).flat()]),
  );
  return { requests, outside, inRequests, inSequence, inAll };
}

export type PaymentCounts = ReturnType<typeof paymentCountsOf>;

/** Round trips of the requests in sequence; requests of one step run in parallel. Decision 71. */
function tripsInSequence({ requests }: Payment): number {
  const most: number[] = [];
  for (const { step, consumed } of requests)
    most[step] = Math.max(most[step] ?? 0, consumed.length);
  return most.reduce((sum, one) => sum + one, 0);
}

function costOf(consumed: readonly Consumed[]): Cost {
  const sum = (name: 'readUnits' | 'writeUnits') =>
    consumed.reduce((before, one) => before + one[name], 0);
  return {
    roundTrips: consumed.length,
    writeUnits: sum('writeUnits'),
    readUnits: sum('readUnits'),
  };
}

/** The counts as text. */
export function paymentCountsText(counts: PaymentCounts): string {
  const { requests, outside, inRequests, inSequence, inAll } = counts;
  const columns = ['round trips', 'write units', 'read units'];
  const range = (costs: readonly Cost[], name: keyof Cost) =>
    rangeOf(costs.map((cost) => cost[name]));
  const cells = (costs: readonly Cost[]) => [
    range(costs, 'roundTrips'),
    range(costs, 'writeUnits'),
    range(costs, 'readUnits'),
  ];
  const goal = (figures: readonly number[], most: number) => [
    ...[rangeOf(figures), `≤ ${most}`, Math.max(...figures) <= most ? 'met' : 'MISSED'],
  ];
  const writeUnits = inRequests.map((cost) => cost.writeUnits);
  return [
    `A payment between two bridges, by consumed capacity (${inRequests.length} payments, one at a time)`,
    tableOf(
      ['in requests', 'each', 'goal', ''],
      [
        ['round trips, one after the other', ...goal(inSequence, roundTripGoal)],
        [
          `round trips, all of ${requests.length} requests`,
          range(inRequests, 'roundTrips'),
          '',
          '',
        ],
        ['write units', ...goal(writeUnits, writeUnitGoal)],
        ['read units', range(inRequests, 'readUnits'), '', ''],
      ],
    ),
    tableOf(
      ['request', ...columns, 'what it sends'],
      requests.map(({ request, costs, operations }) => [
        ...[request, ...cells(costs), operations.join(', ')],
      ]),
    ),
    'What the requests write, with its bytes where they are known; two write units for each kilobyte begun',
    tableOf(
      ['request', 'items'],
      requests.map(({ request, items }) => [request, items.join(', ')]),
    ),
    'Outside of requests, when nothing else is under way; what comes together is read and written together',
    tableOf(
      ['', ...columns],
      [
        ...outside.map(({ worker, costs }) => [worker, ...cells(costs)]),
        ['all, with the requests', ...cells(inAll)],
      ],
    ),
  ].join('\n\n');
}

/** The counts as data; the greatest value where payments differ. */
export function paymentCountsData({ inRequests, inSequence, inAll }: PaymentCounts) {
  const greatest = (costs: readonly Cost[]) => ({
    roundTrips: Math.max(...costs.map(({ roundTrips }) => roundTrips)),
    writeUnits: Math.max(...costs.map(({ writeUnits }) => writeUnits)),
    readUnits: Math.max(...costs.map(({ readUnits }) => readUnits)),
  });
  const inTurn = Math.max(...inSequence);
  return { inRequests: { ...greatest(inRequests), inTurn }, inAll: greatest(inAll) };
}

export function paymentRatesOf(stretches: readonly PaymentStretch[]) {
  return stretches.map(({ level, seconds, fromPostMs, failed, firstFailure }) => ({
    ...{ ...level, completed: fromPostMs.length, perSecond: fromPostMs.length / seconds },
    ...{ p50Ms: quantileOf(fromPostMs, 0.5), p99Ms: quantileOf(fromPostMs, 0.99) },
    ...{ failed, firstFailure },
  }));
}

export type PaymentRates = ReturnType<typeof paymentRatesOf>;

/** The rates as text. */
export function paymentRatesText(rates: PaymentRates): string {
  const rows = rates.map(({ workload, atOnce, restMs, completed, perSecond, p50Ms, p99Ms }) => [
    ...[workload, restMs === undefined ? atOnce : `${atOnce}, idle`, completed],
    ...[restMs === undefined ? fixed(perSecond, 1) : '', fixed(p50Ms), fixed(p99Ms)],
  ]);
  return [
    'Payments with two bridges that report at once; times from POST to completed',
    tableOf(['wallets', 'at a time', 'completed', 'a second', 'p50 ms', 'p99 ms'], rows),
  ].join('\n\n');
}
