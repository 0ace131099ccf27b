/** `countersign verify ledger.ndjson --checkpoint file`: says what an exported file proves, by a checkpoint that was kept. */
import { statSync } from 'node:fs';
import { type ProvenArchive, proveArchive } from '../../shared/archive/prove.ts';
import { type AuditReport, newReport } from '../../shared/audit/run.ts';
import { sightingsOn } from '../../shared/client/witnesses.ts';
import { isSignedBytes } from '../../shared/crypto/proof.ts';
import { checkpointOf } from '../../shared/log/checkpoint.ts';
import { colours, print, secondsText } from '../cli/output.ts';
import { newBar } from '../cli/progress.ts';
import { newWorkFolder } from '../cli/work-folder.ts';
import { exitCodes, misused } from '../runtime/failing.ts';
import { type ConnectionSettings, settingsOf } from './connection.ts';
import { printAnswer, printable } from './printable.ts';
import { fileText } from './records.ts';
import type { VerifyCommandOptions } from './verify.ts';
import { witnessNamed } from './witness-named.ts';

/** Judges an exported file. Sets the exit code 1 for no. */
export async function verifyByCheckpoint(
  path: string,
  checkpointPath: string,
  { witness: witnesses = [], ...options }: VerifyCommandOptions,
): Promise<void> {
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
  ).finally(bar.end);
  const verdict = witnessed(proven, note, witnesses);
  if (!verdict.isProven) process.exitCode = exitCodes.failed;
  const ms = Date.now() - startMs;
  if (options.json) return printAnswer({ ...verdict, trust: trust ?? null, seconds: ms / 1000 });
  show(verdict, trust);
  const rate = Math.round((recordsIn(report) * 1000) / Math.max(1, ms));
  const { green, red } = colours();
  const end = verdict.isProven ? green('Proven.') : red('NOT proven.');
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
  const facts = seen.map(
    ({ witness, moment }) =>
      `The witness ${witness} saw this checkpoint at ${moment}, and nothing before that contradicts it.`,
  );
  const isProven = proven.isProven && faults.length === 0;
  return {
    ...proven,
    isProven,
    facts: [...proven.facts, ...facts],
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
