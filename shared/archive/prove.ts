/**
 * The proof of an archive by a checkpoint that somebody has kept: without a table and without the network, it tells
 * whether the archive is complete and unaltered up to the checkpoint. What it cannot tell, it says. Ruling 101.
 */
import type { AuditReport, LaterChange } from '../audit/run.ts';
import { isValidPublic } from '../crypto/key.ts';
import { isSignedBytes, verify } from '../crypto/proof.ts';
import type { LedgerRecord } from '../ledger/record.ts';
import { toBase64 } from '../log/bytes.ts';
import { type checkpointOf, logSigner, originOf } from '../log/checkpoint.ts';
import { followed, type KeyEntry, keyFor, keysOf } from '../log/key-table.ts';
import { isSignedBy } from '../log/note.ts';
import { headKeyOf } from '../store/keys.ts';
import { unpack } from '../store/pack.ts';
import { type ArchiveAuditOptions, auditArchive } from './audit.ts';
import type { Opened } from './open.ts';

export type KeptCheckpoint = NonNullable<ReturnType<typeof checkpointOf>>;

export interface ArchiveProofOptions extends Omit<ArchiveAuditOptions, 'onOpen'> {
  readonly checkpoint: KeptCheckpoint;
  /** A public key of the ledger, of today or of earlier, known from elsewhere. */
  readonly key?: string | undefined;
}

/** The result for an archive. */
export interface ProvenArchive {
  /** True when the archive is complete and unaltered up to the checkpoint. */
  readonly isProven: boolean;
  /** The proven facts, a sentence each. */
  readonly facts: readonly string[];
  /** The faults, a line each, up to a number; none for an archive that is proven. */
  readonly faults: readonly string[];
  /** The parts of the archive that are not proven, a sentence each. */
  readonly unproven: readonly string[];
  /** The public key of the ledger in the archive. */
  readonly trusts: string;
  /** True when that key was given; otherwise the holder has to compare it. */
  readonly isKeyGiven: boolean;
  /** The moment of the last change under the checkpoint, ISO 8601 UTC; absent when it is not proven. */
  readonly moment?: string;
  readonly checkpoint: { readonly origin: string; readonly size: number; readonly root: string };
  /** The number of changes that are not under the checkpoint, and the first of them. */
  readonly later: { readonly count: number; readonly first: readonly LaterChange[] };
}

/** The records in an archive that say whose it is. */
interface ArchiveOwner {
  readonly ledger: string;
  readonly luid: string;
  readonly system: LedgerRecord | undefined;
  readonly log: LedgerRecord | undefined;
}

/** The faults that are told. */
const faultCountMax = 20;

/** Judges an archive. It throws for no content: what is wrong is in the faults. */
export async function proveArchive(
  path: string,
  options: ArchiveProofOptions,
  report: AuditReport,
): Promise<ProvenArchive> {
  const { checkpoint, key } = options;
  let whose: ArchiveOwner | undefined;
  const onOpen = async (opened: Opened) => {
    whose = await whoseIn(opened);
    return { seenTree: { ...checkpoint, ledger: whose.ledger } };
  };
  const found: string[] = [];
  for await (const line of auditArchive(path, { ...options, onOpen }, report)) {
    found.push(line);
    if (found.length === faultCountMax) break;
  }
  const { seen } = report;
  const faults = [...(whose ? faultsOf(whose, options, report, found) : []), ...found];
  const isProven = faults.length === 0;
  const { origin, size, root } = checkpoint;
  return {
    isProven,
    facts: whose
      ? [
          ...(found.length === 0 ? auditedFacts(whose, report) : []),
          ...(isProven ? loggedFacts(whose, options, report) : []),
        ]
      : [],
    faults,
    unproven: whose ? unprovenIn(report, isProven) : [],
    trusts: publicOf(whose?.system),
    isKeyGiven: key !== undefined,
    ...(isProven && { moment: seen.lastMoment }),
    checkpoint: { origin, size, root: toBase64(root) },
    later: { count: seen.laterCount, first: seen.later },
  };
}

async function whoseIn({ header, sorted }: Opened): Promise<ArchiveOwner> {
  const { ledger } = header;
  const at = async (...place: Parameters<typeof headKeyOf>): Promise<LedgerRecord | undefined> => {
    const item = await sorted.at(headKeyOf(...place));
    return item && unpack(item).record;
  };
  const own = await at('', 'ledger', ledger);
  return {
    ledger,
    luid: own?.luid ?? '',
    system: await at(ledger, 'signer', 'system'),
    log: await at(ledger, 'signer', logSigner),
  };
}

function publicOf(signer: LedgerRecord | undefined): string {
  return String(signer?.data['public'] ?? '');
}

/** The faults beside the findings of the audit. */
function faultsOf(
  whose: ArchiveOwner,
  { checkpoint, key }: ArchiveProofOptions,
  { seen }: AuditReport,
  found: readonly string[],
): string[] {
  const origin = originOf(whose.luid);
  const keyFaults = key === undefined ? [] : trustFaults(whose, key);
  if (checkpoint.origin !== origin)
    return [...keyFaults, `The checkpoint is of ${checkpoint.origin}, and the file of ${origin}.`];
  if (!whose.log)
    return [
      ...keyFaults,
      'The file has no log: it was exported before its ledger had one. Nothing ties it to the checkpoint, so it is not proven that nothing is missing. Export the ledger again.',
    ];
  return [
    ...keyFaults,
    ...(logKeyOf(whose, checkpoint)
      ? []
      : ['The checkpoint is not signed by the log of the ledger.']),
    ...(seen.isMet || found.length > 0
      ? []
      : ['The file has no log, so nothing ties it to the checkpoint.']),
  ];
}

/** The given key leads to the keys of the ledger in the archive. */
function trustFaults({ system }: ArchiveOwner, key: string): readonly string[] {
  const known = system ? keysOf(system) : [];
  if (system && known.some((one) => one.public === key))
    return followed(system, key, verify).faults;
  return [`The file is of the ledger with the key ${publicOf(system)}, not of that with ${key}.`];
}

/** The key of the log that has signed the checkpoint; the ledger alone signs the record of that signer. */
function logKeyOf(
  { log, system }: ArchiveOwner,
  { origin, note }: KeptCheckpoint,
): KeyEntry | undefined {
  const own = system ? keysOf(system) : [];
  if (!log?.meta.proofs.every((proof) => keyFor(own, proof))) return undefined;
  return keysOf(log).find(({ public: key }) => {
    const noteKey = { name: origin, public: Buffer.from(key, 'base64') };
    const isSigned = (bytes: Uint8Array, signature: Uint8Array) =>
      isSignedBytes(bytes, signature, key);
    return isValidPublic(key) && isSignedBy(note, noteKey, isSigned);
  });
}

/** Facts that the archive proves by itself. */
function auditedFacts({ ledger, luid }: ArchiveOwner, { ledgers }: AuditReport): string[] {
  const counts = ledgers.get(ledger);
  if (!counts) return [];
  const { records, versions, proofs, intents, balances } = counts;
  return [
    `The file has the ledger ${ledger} (${luid}): ${records} records in ${versions} versions, ${intents} of them intents, and ${balances} balances.`,
    `Each of its ${proofs} signatures verifies, each history follows step by step, and the balances follow from the intents.`,
  ];
}

/** Facts that follow from the checkpoint. */
function loggedFacts(
  whose: ArchiveOwner,
  { checkpoint, key }: ArchiveProofOptions,
  { seen }: AuditReport,
): string[] {
  const { size, note, origin } = checkpoint;
  const others = note.signatures.filter(({ name }) => name !== origin).map(({ name }) => name);
  return [
    `The first ${size} changes of its log are those under the checkpoint: each is here as it was logged, in its order, and none is missing. The last of them was made at ${seen.lastMoment}.`,
    `The checkpoint is signed by the log of the ledger, with ${logKeyOf(whose, checkpoint)?.public}, and the ledger has signed that key.`,
    ...(others.length > 0 ? [`It has further signatures, by ${others.join(', ')}.`] : []),
    ...leakedFacts(whose),
    ...(seen.laterCount === 0 ? ['Nothing in the file comes after the checkpoint.'] : []),
    `This is worth what the source of the checkpoint is worth${key === undefined ? '' : ', and that of the key'}.`,
  ];
}

/** The facts about keys that others may have had. */
function leakedFacts({ system, log }: ArchiveOwner): string[] {
  const keys = [system, log].flatMap((signer) => (signer ? keysOf(signer) : []));
  return keys
    .filter(({ compromised }) => compromised !== undefined)
    .map(
      (key) =>
        `Others may have had the key ${key.public} when it was replaced at ${key.compromised}: only a checkpoint from before that, kept elsewhere, shows that nothing was signed with it afterwards.`,
    );
}

/** The parts of an archive that nothing signs, as the manual lists them. */
const unsigned =
  'Work under way is in no record, and so not proven: deliveries, signals that wait, files of reports, used tokens, wrapped keys and secrets, the counters of daily limits.';

function unprovenIn({ seen }: AuditReport, isProven: boolean): string[] {
  if (!isProven) return [];
  const { laterCount, later } = seen;
  const names = later.map(
    ({ luid, change, handle }) => `change ${change} of ${luid}${handle ? ` (${handle})` : ''}`,
  );
  const more = laterCount > later.length ? `, and ${laterCount - later.length} more` : '';
  return [
    ...(laterCount === 0
      ? []
      : [
          `${laterCount} changes are not under the checkpoint, and the balances include them: ${names.join(', ')}${more}.`,
        ]),
    unsigned,
  ];
}
