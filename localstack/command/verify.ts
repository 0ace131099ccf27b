/** `countersign verify`: says in words what a record or a receipt proves, and by which key. */
import { text as textOf } from 'node:stream/consumers';
import {
  isReceipt,
  parseExactly,
  type RecordVerdict,
  verifyReceipt,
  verifyRecord,
} from '../../shared/client/client.ts';
import { printable } from '../../shared/ledger/printable.ts';
import { answering } from '../cli/answering.ts';
import { isReadable } from '../cli/given-file.ts';
import { colours, print } from '../cli/output.ts';
import { exitCodes, misused } from '../runtime/failing.ts';
import { type ConnectionOptions, settingsOf, withLedger } from './connection.ts';
import { momentText } from './describe.ts';
import { lineOf, printAnswer } from './printable.ts';
import { fileText, targetOf } from './records.ts';
import type { VerifyCommandOptions } from './verify-archive.ts';
import { witnessNamed } from './witness-named.ts';

/** A key, with the source of the trust in it. */
interface Trust {
  readonly key: string;
  readonly source: string;
}

/** Judges a record on the server, in a file or on standard input, or an exported file. Sets the exit code 1 for no. */
export async function verify(
  what: string,
  { checkpoint, ...options }: VerifyCommandOptions,
): Promise<void> {
  if (checkpoint !== undefined || what.endsWith('.ndjson'))
    return verifyArchive(what, checkpoint, options);
  if (what === '-' || isReadable(what) || what.endsWith('.json')) {
    const text = what === '-' ? await textOf(process.stdin) : fileText(what);
    judge(parsed(text), await trustOf(options), options);
    return;
  }
  const { path, query } = targetOf(what);
  await withLedger(options, async ({ ledger, any, trustedBy: source }) => {
    judge(await any.get(path, { query }), { key: ledger.key, source }, options);
  });
}

/** Judges a record, or a receipt, which proves the log too. */
function judge(record: unknown, trust: Trust, options: VerifyCommandOptions): void {
  if (isReceipt(record)) reportReceipt(record, trust, options);
  else if (options.witness)
    throw misused('--witness is for receipts: only these have a checkpoint.');
  else if (options.signer !== undefined)
    throw misused('--signer is for receipts: only these name the keys of their time.');
  else report(verifyWith(record, trust), options);
}

function reportReceipt(
  receipt: unknown,
  trust: Trust,
  { json, signer, witness: witnesses = [] }: VerifyCommandOptions,
): void {
  for (const one of witnesses) witnessNamed(one);
  const verdict = verifyReceipt(receipt, {
    key: trust.key,
    ...(signer !== undefined && { signer: parsed(fileText(signer)) }),
    ...(witnesses.length > 0 && { witnesses }),
  });
  const { isProven, facts, faults } = verdict;
  if (!isProven) process.exitCode = exitCodes.failed;
  if (json) {
    printAnswer({ ...verdict, trust });
    return;
  }
  const { green, red } = colours();
  for (const fact of facts) print(`${green('✓')} ${printable(fact)}`);
  for (const fault of faults) print(red(`✗ ${printable(fault)}`));
  showTrust(trust);
  print(isProven ? green('Proven.') : red('NOT proven.'));
}

/** The options that an exported file has a use for, without and with a checkpoint. */
const usedBy = {
  audit: ['json'],
  checkpoint: ['json', 'trust', 'profile', 'witness'],
} as const;

/** An exported file holds a whole ledger, with all its versions and keys: its audit, and its proof by a checkpoint. */
async function verifyArchive(
  path: string,
  checkpoint: string | undefined,
  options: VerifyCommandOptions,
): Promise<void> {
  const used: readonly string[] = usedBy[checkpoint === undefined ? 'audit' : 'checkpoint'];
  const named = Object.keys(options).find((name) => !used.includes(name));
  if (named !== undefined)
    throw misused(`--${named} has no meaning for an exported file, which holds its keys.`);
  if (!isReadable(path)) throw misused(`There is no file ${printable(path)}.`);
  await answering(async () => {
    if (checkpoint !== undefined) {
      const { verifyByCheckpoint } = await import('./verify-archive.ts');
      return verifyByCheckpoint(path, checkpoint, options);
    }
    const { runAudit } = await import('../cli/audit.ts');
    const { json = false } = options;
    const code = await runAudit({ what: path, isAll: false, isJson: json });
    if (!json)
      print('Whether something is missing is proven by a checkpoint that you kept: --checkpoint.');
    return code;
  });
}

function parsed(text: string): unknown {
  try {
    return parseExactly(text);
  } catch (error) {
    throw misused(`This is no JSON: ${printable((error as Error).message)}`);
  }
}

/** The trusted key: the one that is given or pinned, and otherwise that which the server answers. */
async function trustOf(options: ConnectionOptions): Promise<Trust> {
  const { trust } = settingsOf(options);
  if (trust) return { key: trust.value, source: trust.source };
  const found: Trust[] = [];
  await withLedger(options, async ({ ledger, trustedBy: source }) => {
    found.push({ key: ledger.key, source });
  });
  return found[0] as Trust;
}

/** The names of a record: its handle is in its hash, and its luid in a statement of the ledger. */
interface ShownNames {
  readonly luid?: string;
  readonly handle?: string;
}

interface Judged {
  readonly names: ShownNames;
  readonly verdict: RecordVerdict;
  readonly trust: Trust;
}

function verifyWith(record: unknown, trust: Trust): Judged {
  return { names: namesIn(record), verdict: verifyRecord(record, { trust: trust.key }), trust };
}

function namesIn(record: unknown): ShownNames {
  const { luid, data } = Object(record) as { readonly luid?: unknown; readonly data?: unknown };
  const { handle } = Object(data) as { readonly handle?: unknown };
  return {
    ...(typeof luid === 'string' && { luid }),
    ...(typeof handle === 'string' && { handle }),
  };
}

function report(judged: Judged, { json }: ConnectionOptions): void {
  const { names, verdict, trust } = judged;
  if (!verdict.isProven) process.exitCode = exitCodes.failed;
  if (json) printAnswer({ ...names, ...verdict, trust });
  else show(judged);
}

function show({ names: { luid = '', handle }, verdict, trust }: Judged): void {
  const { green, red } = colours();
  const name = handle === undefined ? luid : `${handle}${luid && ` (${luid})`}`;
  if (name !== '') print(printable(`The record is ${name}.`));
  for (const line of linesOf(verdict)) print(line);
  showTrust(trust);
  // Proofs that do not verify have their lines above.
  const others = verdict.problems.filter((text) => !/^Proof \d/.test(text));
  for (const problem of others) print(red(`✗ ${printable(problem)}`));
  print(verdict.isProven ? green('Proven.') : red('NOT proven.'));
}

function showTrust({ key, source }: Trust): void {
  print(`The trusted key is ${key} (${source}).`);
  if (source.startsWith('believed'))
    print(
      'Who answers there could answer with any key: compare it, and pin it by --trust or a profile.',
    );
}

function linesOf({ hash, proofs, status, elements, problems }: RecordVerdict): string[] {
  const { green, red } = colours();
  const mark = (isGood: boolean) => (isGood ? green('✓') : red('✗'));
  const proven = elements.filter(({ isProven }) => isProven).length;
  const isHashRight = !problems.some((text) => text.startsWith('The hash'));
  return [
    ...(hash === '' ? [] : [`${mark(isHashRight)} The data has the hash ${hash}.`]),
    ...proofs.map(({ isValid, isTrusted, public: key, signer, custom }, index) => {
      const name = signer === undefined ? '' : ` (called ${printable(signer)})`;
      const by = isTrusted ? 'the trusted key' : `the key ${printable(key)}${name}`;
      return `${mark(isValid)} Proof ${index}: ${by} states ${statementOf(custom)}.`;
    }),
    ...(status === undefined
      ? []
      : [`${mark(true)} The status ${printable(status)} is stated by the trusted key.`]),
    ...(elements.length === 0
      ? []
      : [
          `${mark(proven === elements.length)} ${proven} of ${elements.length} records in it are proven, too.`,
        ]),
  ];
}

/** A signed statement in words; names of signers are not part of it. */
function statementOf({ status, moment, ...more }: Readonly<Record<string, unknown>>): string {
  const what = status === undefined ? 'the data' : lineOf(status);
  const when = moment === undefined ? '' : ` at ${momentText(moment)} UTC`;
  return `${what}${when}${Object.keys(more).length === 0 ? '' : `, with ${lineOf(more)}`}`;
}
