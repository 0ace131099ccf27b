/** The result of a reconciliation, as tables for a terminal and as CSV. */

import { csvRowOf } from '../../shared/ledger/statement.ts';
import { colours } from './output.ts';
import { amountText, dayText } from './reconcile-values.ts';
import type { ReconcileRow, Reconciliation } from './reconciliation.ts';
import { tableOf } from './table.ts';

/** A row of the result: a pair, or a row without a partner. */
interface ResultLine {
  readonly group: keyof typeof titles;
  readonly external?: ReconcileRow;
  readonly ledger?: ReconcileRow;
}

const titles = {
  matched: 'matched',
  different: 'different',
  'external-only': 'missing in the ledger',
  'ledger-only': 'missing in the external file',
  outside: 'outside of the period',
} as const;
type Group = keyof typeof titles;

const columns = [
  'group',
  'key',
  'external_row',
  'ledger_row',
  'external_date',
  'ledger_date',
  'external_amount',
  'ledger_amount',
  'difference',
] as const;

/** True when no row is missing and none differs. */
export function isReconciled({ different, externalOnly, ledgerOnly }: Reconciliation): boolean {
  return different.length + externalOnly.length + ledgerOnly.length === 0;
}

/** The lines to print: the counts and sums of each group, then the rows to look at. */
export function reconcilePageOf(
  result: Reconciliation,
  { digits, isAll }: { readonly digits: number | undefined; readonly isAll: boolean },
): string {
  const { green, red } = colours();
  const lines = linesOf(result);
  const shown = lines.filter(({ group }) => isAll || (group !== 'matched' && group !== 'outside'));
  const details = shown.map((line) => fieldsOf(line).map((field) => textOf(field, digits)));
  return [
    tableOf(
      ['group', 'external', 'ledger', 'sum external', 'sum ledger'],
      sumsOf(lines, digits),
      1,
    ),
    ...(shown.length > 0 ? ['', tableOf(columns, details, 2)] : []),
    '',
    isReconciled(result) ? green('All rows match.') : red('The two sides do NOT match.'),
  ].join('\n');
}

/** Every row with its group, as CSV. Amounts are in the smallest unit. */
export function reconcileCsvOf(result: Reconciliation): string {
  const rows = linesOf(result).map((line) => fieldsOf(line).map(String));
  return [columns, ...rows].map(csvRowOf).join('');
}

/** Every row with its group, as JSON. Amounts are in the smallest unit. */
export function reconcileDocumentOf(result: Reconciliation) {
  const sideOf = (row: ReconcileRow | undefined) =>
    row && {
      row: row.line,
      amount: row.amount,
      ...(row.day !== undefined && { date: dateOf(row) }),
    };
  const rows = linesOf(result).map(({ group, external, ledger }) => ({
    group,
    key: (external ?? ledger)?.key ?? [],
    external: sideOf(external),
    ledger: sideOf(ledger),
  }));
  return { isReconciled: isReconciled(result), rows };
}

function linesOf(result: Reconciliation): ResultLine[] {
  const { matched, different, externalOnly, ledgerOnly, outside } = result;
  return [
    ...different.map((pair) => ({ group: 'different', ...pair }) as const),
    ...externalOnly.map((external) => ({ group: 'external-only', external }) as const),
    ...ledgerOnly.map((ledger) => ({ group: 'ledger-only', ledger }) as const),
    ...matched.map((pair) => ({ group: 'matched', ...pair }) as const),
    ...outside.external.map((external) => ({ group: 'outside', external }) as const),
    ...outside.ledger.map((ledger) => ({ group: 'outside', ledger }) as const),
  ];
}

type Field = string | number | bigint;

function fieldsOf({ group, external, ledger }: ResultLine): Field[] {
  return [
    group,
    (external ?? ledger)?.key.join(' ') ?? '',
    external?.line ?? '',
    ledger?.line ?? '',
    dateOf(external),
    dateOf(ledger),
    external?.amount ?? '',
    ledger?.amount ?? '',
    (external?.amount ?? 0n) - (ledger?.amount ?? 0n),
  ];
}

function dateOf(row: ReconcileRow | undefined): string {
  return row?.day === undefined ? '' : dayText(row.day);
}

function textOf(field: Field, digits: number | undefined): string {
  return typeof field === 'bigint' ? amountText(field, digits) : String(field);
}

function sumsOf(lines: readonly ResultLine[], digits: number | undefined): string[][] {
  return (Object.keys(titles) as Group[]).flatMap((group) => {
    const own = lines.filter((line) => line.group === group);
    const sides = [
      own.flatMap((line) => line.external ?? []),
      own.flatMap((line) => line.ledger ?? []),
    ];
    if (own.length === 0 && group === 'outside') return [];
    const sums = sides.map((rows) => rows.reduce((sum, { amount }) => sum + amount, 0n));
    return [
      [
        titles[group],
        ...sides.map((rows) => String(rows.length)),
        ...sums.map((sum) => amountText(sum, digits)),
      ],
    ];
  });
}
