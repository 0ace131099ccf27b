/** The units of partitions as a table, and the rates that they bear. */
import type { Meter, Units } from './meter.ts';
import { fixed, tableOf } from './print.ts';

/** What AWS gives one partition, in units a second. */
const perSecond: Units = { writeUnits: 1_000, readUnits: 3_000 };
const rowCountMax = 20;

/** The partitions of one form, such as the ones of all wallets. */
interface Form {
  readonly name: string;
  count: number;
  /** Of all of them together. */
  readonly sum: Units;
  /** Of the busiest one. */
  readonly most: Units;
}

/** A workload that was metered. */
export interface Metered {
  readonly title: string;
  /** The units of work. */
  readonly count: number;
  /** The write units of the transactions of requests, without what follows from them. */
  readonly requestUnits: number;
  /** Handles and luids of the bridges, each of which takes part in every payment. */
  readonly bridges: readonly string[];
  readonly meter: Meter;
}

/** A rate that a ledger, a bridge or everybody is to bear. */
export interface Goal {
  readonly goal: number;
  readonly what: string;
  readonly of: Owner;
}

/** The one that a partition belongs to: `ledger` for those that the records of all its bridges share. */
type Owner = 'ledger' | 'bridge' | 'everybody';

/** The busiest partitions of a workload, each with the rate at which it is full; `isWhole` for all of them. */
export function partitionText(metered: Metered, isWhole: boolean): string {
  const { title, count, requestUnits, meter } = metered;
  const forms = formsOf(meter.units);
  const each = (units: number) => fixed(units / count, 2);
  const ordered = forms.toSorted((one, other) => fullAt(count, one) - fullAt(count, other));
  const total = forms.reduce((sum, { sum: { writeUnits } }) => sum + writeUnits, 0);
  const rows = ordered
    .slice(0, isWhole ? undefined : rowCountMax)
    .map((form) => [
      form.name,
      form.count,
      each(form.sum.writeUnits),
      each(form.sum.readUnits),
      each(form.most.writeUnits),
      each(form.most.readUnits),
      fixed(fullAt(count, form)),
    ]);
  return [
    `${title}: ${each(total)} write units in all, ${each(requestUnits)} of them in requests and ${each(total - requestUnits)} in what follows`,
    tableOf(
      ['partition', 'of them', 'writes', 'reads', 'writes, busiest', 'reads', 'full at, a second'],
      rows,
    ),
  ].join('\n\n');
}

/** One goal: the rate at which the busiest partition of its owner is full. */
export function goalText({ goal, what, of }: Goal, { count, bridges, meter }: Metered): string {
  const own = [...meter.units].filter(([name]) => ownerOf(name, bridges) === of);
  const [first] = own
    .map(([name, most]) => ({ name, rate: fullAt(count, { most }) }))
    .toSorted((one, other) => one.rate - other.rate);
  const full = first ? `full at ${fixed(first.rate)} (${first.name})` : 'nothing is asked of them';
  const verdict = !first || first.rate >= goal ? 'holds' : 'does not hold';
  return `${goal} ${what} a second: ${full}: ${verdict}`;
}

function ownerOf(partition: string, bridges: readonly string[]): Owner {
  const [scope, ...parts] = partition.split('#');
  if (scope === '') return 'everybody';
  return parts.some((part) => bridges.includes(part)) ? 'bridge' : 'ledger';
}

/** The rate of the work at which the busiest partition of a form is full. */
function fullAt(count: number, { most }: Pick<Form, 'most'>): number {
  const { writeUnits, readUnits } = perSecond;
  return count * Math.min(writeUnits / most.writeUnits, readUnits / most.readUnits);
}

function formsOf(units: ReadonlyMap<string, Units>): Form[] {
  const forms = new Map<string, Form>();
  for (const [partition, { writeUnits, readUnits }] of units) {
    const name = formOf(partition);
    const none = () => ({ writeUnits: 0, readUnits: 0 });
    const form = forms.get(name) ?? { name, count: 0, sum: none(), most: none() };
    forms.set(name, form);
    form.count += 1;
    form.sum.writeUnits += writeUnits;
    form.sum.readUnits += readUnits;
    form.most.writeUnits = Math.max(form.most.writeUnits, writeUnits);
    form.most.readUnits = Math.max(form.most.readUnits, readUnits);
  }
  return [...forms.values()];
}

/** A partition key without what tells partitions of one form apart. */
export function formOf(partition: string): string {
  return partition
    .split('#')
    .map((part) => {
      if (/^\$[a-z]{3}\./.test(part)) return '<luid>';
      if (/^\d+$/.test(part)) return '<number>';
      if (/^~\d+$/.test(part)) return '~<spread>';
      if (/^evt_/.test(part)) return '<event>';
      if (/-\d{2,}(@|$)/.test(part)) return part.replaceAll(/-\d{2,}/g, '-<n>');
      return part.length >= 40 ? '<hash>' : part;
    })
    .join('#');
}
