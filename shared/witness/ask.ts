/**
 * Asks the witnesses of a log to cosign its newest checkpoint, side by side, and keeps what they answer. Nothing waits for
 * it: neither a change nor a checkpoint. Ruling 100, Decision 117.
 */
import type { CosignedLog, StoredCheckpoint, WitnessProgress } from '../port/logs.ts';
import type { Scope, Store } from '../port/ports.ts';
import { hasCosigned, type Witness, witnessesOf } from '../record/witnesses.ts';
import { type SubmitPorts, submit, type WitnessAnswer } from './submit.ts';

export interface WitnessPorts extends SubmitPorts {
  readonly store: Pick<Store, 'load'>;
  readonly clock: () => number;
  /** Called for each witness that was asked and has not cosigned; `isNews` when the fault is another one than before. */
  readonly failed: (of: WitnessFailure) => void;
}

interface WitnessFailure {
  readonly scope: Scope;
  readonly vkey: string;
  readonly fault: string;
  readonly isNews: boolean;
  /** True when the log was put back or altered; else the fault is one of the witness, or of the way to it. */
  readonly isContradiction: boolean;
}

const waitMsMin = 5_000;
const waitMsMax = 600_000;
const fresh: WitnessProgress = { known: 0, failures: 0, nextMs: 0 };

/** The work of one run. */
interface Round {
  readonly scope: Scope;
  readonly checkpoint: StoredCheckpoint;
  readonly stored: CosignedLog | undefined;
  readonly witnesses: readonly Witness[];
  readonly nowMs: number;
}

/** Returns true when every witness of the log has cosigned its newest checkpoint, or it has none. */
export async function askWitnesses(ports: WitnessPorts, scope: Scope): Promise<boolean> {
  const { store, logs, clock } = ports;
  const [home] = await store.load([{ what: 'record', scope: '', kind: 'ledger', handle: scope }]);
  const witnesses = home ? witnessesOf(home.record) : [];
  if (witnesses.length === 0) return true;
  const [state, stored] = await Promise.all([logs.read(scope), logs.cosigned(scope)]);
  if (!state?.checkpoint) return true;
  const round = { scope, checkpoint: state.checkpoint, stored, witnesses, nowMs: clock() };
  const open = witnesses.filter((one) => !hasCosigned(stored, state.checkpoint, one));
  const due = open.filter((one) => progressOf(round, one).nextMs <= round.nowMs);
  if (due.length === 0) return open.length === 0;
  const answers = new Map<string, WitnessAnswer>();
  const ask = async (witness: Witness) => {
    const { known } = progressOf(round, witness);
    answers.set(witness.vkey, await submit(ports, scope, round.checkpoint, { witness, known }));
  };
  await Promise.all(due.map(ask));
  const isNewest = ((await logs.read(scope))?.checkpoint?.size ?? 0) === round.checkpoint.size;
  const next = afterRound(round, answers, isNewest);
  const isKept = await logs.keepCosigned(scope, next);
  report(ports, round, next, answers);
  return isKept && isNewest && witnesses.every((one) => hasCosigned(next, round.checkpoint, one));
}

function progressOf({ stored }: Pick<Round, 'stored'>, { vkey }: Witness): WitnessProgress {
  return stored?.progress[vkey] ?? fresh;
}

function afterRound(
  round: Round,
  answers: ReadonlyMap<string, WitnessAnswer>,
  isNewest: boolean,
): CosignedLog {
  const { stored, checkpoint, witnesses } = round;
  const lines = [...answers.values()].flatMap((one) => (one.is === 'cosigned' ? one.line : []));
  const { size } = checkpoint;
  const base = stored?.checkpoint?.size === size ? stored.checkpoint.note : checkpoint.note;
  const served = lines.length > 0 ? { size, note: base + lines.join('') } : stored?.checkpoint;
  const progress = witnesses.map((one) => {
    const answer = answers.get(one.vkey);
    const before = progressOf(round, one);
    return [one.vkey, answer ? progressAfter(before, answer, { ...round, isNewest }) : before];
  });
  return {
    change: (stored?.change ?? 0) + 1,
    ...(served && { checkpoint: served }),
    progress: Object.fromEntries(progress),
  };
}

function progressAfter(
  before: WitnessProgress,
  answer: WitnessAnswer,
  {
    checkpoint: { size },
    nowMs,
    isNewest,
  }: Pick<Round, 'checkpoint' | 'nowMs'> & { readonly isNewest: boolean },
): WitnessProgress {
  if (answer.is === 'cosigned') return { ...fresh, known: size };
  // Another process has shown it a newer checkpoint meanwhile.
  if (answer.is === 'ahead' && !isNewest) return { ...before, known: answer.known };
  const fault = faultOf(answer, size);
  const failures = before.failures + 1;
  const waitMs = Math.min(waitMsMax, waitMsMin * 2 ** Math.min(before.failures, 20));
  const sinceMs = before.sinceMs ?? nowMs;
  return { known: answer.known, failures, nextMs: nowMs + waitMs, sinceMs, fault };
}

/** The fault of a witness that did not cosign a checkpoint of so many leaves, a sentence. */
function faultOf(answer: Exclude<WitnessAnswer, { is: 'cosigned' }>, size: number): string {
  if (answer.is === 'failed') return answer.fault;
  if (answer.is === 'contradicted')
    return `It has cosigned another tree of ${answer.known} leaves than this log has: one of the two was altered.`;
  return `It has cosigned ${answer.known} leaves, and this log has ${size}: the log was put back to an older copy, or goes on elsewhere.`;
}

function report(
  { failed }: WitnessPorts,
  { scope, stored }: Round,
  { progress }: CosignedLog,
  answers: ReadonlyMap<string, WitnessAnswer>,
): void {
  for (const [vkey, { is }] of answers) {
    const before = stored?.progress[vkey] ?? fresh;
    const { failures, fault } = progress[vkey] ?? fresh;
    if (fault === undefined || failures === before.failures) continue;
    const isNews = before.fault !== fault;
    failed({ scope, vkey, fault, isNews, isContradiction: is !== 'failed' });
  }
}
