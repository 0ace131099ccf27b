/** `countersign verify ledger.ndjson --checkpoint file`: says what an exported file proves, by a checkpoint that was kept. */
import { statSync } from 'node:fs';
import { type ProvenArchive, proveArchive } from '../../shared/archive/prove.ts';
import { type AuditReport, newReport } from '../../shared/audit/run.ts';
import { factOf, sightingsOn } from '../../shared/client/witnesses.ts';
import { isSignedBytes } from '../../shared/crypto/proof.ts';
import { printable } from '../../shared/ledger/printable.ts';
import { checkpointOf } from '../../shared/log/checkpoint.ts';
import { colours, print, secondsText } from '../cli/output.ts';
import { newBar } from '../cli/progress.ts';
import { newWorkFolder } from '../cli/work-folder.ts';
import { exitCodes, misused } from '../runtime/failing.ts';
import { namedTemporary } from '../runtime/folder.ts';
import { type ConnectionOptions, type ConnectionSettings, settingsOf } from './connection.ts';
import { printAnswer } from './printable.ts';
import { fileText } from './records.ts';
import { witnessNamed } from './witness-named.ts';

/** The options of `verify`. */
export interface VerifyCommandOptions extends ConnectionOptions {
  /** The file of the ledger's signer as it is answered today. */
  readonly signer?: string;
  /** The keys of witnesses, as vkeys: each must have cosigned the checkpoint of a receipt, or the one that is given. */
  readonly witness?: readonly string[];
  /** The file of a checkpoint that was kept. */
  readonly checkpoint?: string;
}

/** Judges an exported file; returns the exit code, 1 for no. */
export async function verifyByCheckpoint(
  path: string,
  checkpointPath: string,
  { witness: witnesses = [], ...options }: VerifyCommandOptions,
): Promise<number> {
  for (const one of witnesses) witnessNamed(one);
  const note = fileText(checkpointPath);
  const checkpoint = checkpointOf(note);
  if (!checkpoint) throw misused(`${printable(checkpointPath)} is no checkpoint.`);
  const { trust } = settingsOf(options);
  const size = statSync(path).size;
  const bar = newBar();
  const startMs = Date.now();
  const onRead = (bytes: number) => bar.show('reading the file', bytes, size);
  const report = newReport();
  const proven = await proveArchive(
    path,
    {
      ...{ checkpoint, key: trust?.value, folder: newWorkFolder('verify'), nowMs: Date.now },
      ...{ onRead, onProgress: ({ doing }) => bar.show(doing, 0) },
    },
    report,
  )
    .catch((error: unknown) => {
      throw namedTemporary(error);
    })
    .finally(bar.end);
  const verdict = witnessed(proven, note, witnesses);
  const ms = Date.now() - startMs;
  if (options.json) printAnswer({ ...verdict, trust: trust ?? null, seconds: ms / 1000 });
  else {
    show(verdict, trust);
    showEnd(verdict, recordsIn(report), ms);
  }
  return verdict.isProven ? exitCodes.done : exitCodes.failed;
}

function showEnd({ isProven }: ProvenArchive, records: number, ms: number): void {
  const { green, red } = colours();
  const rate = Math.round((records * 1000) / Math.max(1, ms));
  const end = isProven ? green('Proven.') : red('NOT proven.');
  print(`${secondsText(ms)}, ${rate} records a second. ${end}`);
}

/** The verdict, when the checkpoint must have been seen by witnesses. */
function witnessed(
  proven: ProvenArchive,
  note: string,
  witnesses: readonly string[],
): ProvenArchive {
  const { seen, faults } = sightingsOn(note, witnesses, (bytes, signature, { public: key }) =>
    isSignedBytes(bytes, signature, Buffer.from(key).toString('base64')),
  );
  const isProven = proven.isProven && faults.length === 0;
  return {
    ...proven,
    isProven,
    facts: [...proven.facts, ...seen.map(factOf)],
    faults: [...proven.faults, ...faults],
  };
}

function show(
  { facts, faults, unproven, trusts }: ProvenArchive,
  trust: ConnectionSettings['trust'],
): void {
  const { green, red } = colours();
  for (const fact of facts) print(`${green('✓')} ${printable(fact)}`);
  for (const fault of faults) print(red(`✗ ${printable(fault)}`));
  for (const fact of unproven) print(`· ${printable(fact)}`);
  if (trust) print(`The trusted key is ${trust.value} (${trust.source}).`);
  else if (trusts !== '')
    print(
      `The key of the ledger is ${printable(trusts)}, as the file says: compare it, or give it by --trust.`,
    );
}

function recordsIn({ ledgers }: AuditReport): number {
  return [...ledgers.values()].reduce((sum, { records }) => sum + records, 0);
}
