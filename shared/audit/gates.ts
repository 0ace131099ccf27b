/**
 * Invariant 3, for the gates of busy records: each is of the current version of its record, which says that there are so
 * many. One may be missing, since whoever needs it finds the head. Memory grows with the records that have gates.
 * Decision 134.
 */
import { headKeyOf, type Key, keyOfItem, nameOfItem, textOf } from '../store/keys.ts';
import type { Item } from '../store/request.ts';
import { type AuditRun, lastingIn } from './run.ts';
import type { AuditSource, NamedItem } from './source.ts';
import { type AuditViolation, type Finding, violationOf } from './violation.ts';

/** Notes a gate. */
export function noteGate(run: AuditRun, { name, item }: NamedItem): void {
  if (name.item !== 'gate') return;
  const head = textOf(headKeyOf(name.scope, name.kind, name.handle));
  const gates = run.gates.get(head) ?? [];
  run.gates.set(head, gates);
  gates.push(keyOfItem(item));
}

/** Checks the gates of each record that has some; in a running ledger, again where something looks wrong. */
export async function* auditGates(run: AuditRun): AsyncGenerator<AuditViolation, void, undefined> {
  for (const keys of run.gates.values())
    yield* await lastingIn(run, async () => [...checkGates(await gatesAt(run.source, keys))]);
}

interface SeenGate {
  readonly gate: Item;
  readonly head: Item | undefined;
}

/** The gates of a record that are still there, with its head. */
async function gatesAt(source: AuditSource, keys: readonly Key[]): Promise<SeenGate[]> {
  const gates = [...(await source.at(keys)).values()];
  const headOf = (gate: Item) => {
    const name = nameOfItem(gate);
    return name?.item === 'gate' ? headKeyOf(name.scope, name.kind, name.handle) : undefined;
  };
  const heads = await source.at(gates.slice(0, 1).flatMap((gate) => headOf(gate) ?? []));
  return gates.map((gate) => {
    const key = headOf(gate);
    return { gate, head: key && heads.get(textOf(key)) };
  });
}

function* checkGates(gates: readonly SeenGate[]): Finding {
  for (const { gate, head } of gates) {
    const name = nameOfItem(gate);
    if (name?.item !== 'gate') continue;
    const { scope, kind, handle } = name;
    const isCurrent =
      head !== undefined && head['luid'] === gate['luid'] && head['change'] === gate['change'];
    const subject = { scope, kind, handle };
    if (!isCurrent)
      yield violationOf(3, subject, `Gate ${name.gate} is of no version that is current.`);
    else if (name.gate >= Number(head['gates'] ?? 0))
      yield violationOf(3, subject, `Gate ${name.gate} is none of those of the record.`);
  }
}
