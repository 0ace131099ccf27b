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

/** The busiest partitions of a workload, each with the rate at which it is full. */
export function partitionText(title: string, operationCount: number, meter: Meter): string {
  const forms = formsOf(meter.units);
  const rateOf = ({ most }: Form) =>
    operationCount *
    Math.min(perSecond.writeUnits / most.writeUnits, perSecond.readUnits / most.readUnits);
  const each = (units: number) => fixed(units / operationCount, 2);
  const ordered = forms.toSorted((one, other) => rateOf(one) - rateOf(other));
  const total = forms.reduce((sum, { sum: { writeUnits } }) => sum + writeUnits, 0);
  const rows = ordered
    .slice(0, rowCountMax)
    .map((form) => [
      form.name,
      form.count,
      each(form.sum.writeUnits),
      each(form.sum.readUnits),
      each(form.most.writeUnits),
      each(form.most.readUnits),
      fixed(rateOf(form)),
    ]);
  return [
    `${title}: ${each(total)} write units in all (the database counts ${each(meter.countedByDatabase())})`,
    tableOf(
      ['partition', 'of them', 'writes', 'reads', 'writes, busiest', 'reads', 'full at, a second'],
      rows,
    ),
  ].join('\n\n');
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
      if (/-\d{2,}$/.test(part)) return part.replace(/\d+$/, '<n>');
      return part.length >= 40 ? '<hash>' : part;
    })
    .join('#');
}
