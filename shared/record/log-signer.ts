/**
 * The signer of a ledger's log: a record of the service with a key of its own, which signs checkpoints and nothing else.
 * The private half is encrypted at rest, like that of the ledger. Decision 115.
 */
import { hashOf } from '../crypto/digest.ts';
import { createSeed, privateKeyOf, publicOf } from '../crypto/key.ts';
import { type SigningKey, signBytes } from '../crypto/proof.ts';
import { contextOfSecret } from '../crypto/secret.ts';
import type { Version } from '../ledger/record.ts';
import { checkpointText, logSigner, originOf } from '../log/checkpoint.ts';
import { type KeyEntry, keysOf } from '../log/key-table.ts';
import { type NoteKey, signatureLineOf } from '../log/note.ts';
import { rootOf } from '../log/tree.ts';
import type { Identity, Services } from '../port/action.ts';
import type { CheckpointOf, Logs } from '../port/logs.ts';
import type { Clock, Keyring, Scope, Store, WrappedSecrets, Write } from '../port/ports.ts';
import { creation, firstVersion } from './birth.ts';
import { newToken } from './commit.ts';
import { keyMsMax } from './identity.ts';
import { isOfService } from './service-signer.ts';

/** The names of the private halves in the attachment of the signer: of its key, and of the one before. */
export const logSecrets = { own: 'private', former: 'former' } as const;
/** The number of unwrapped keys in memory; the oldest one is dropped first. */
const keyCountMax = 1_000;

/** The keys of a log that sign checkpoints now, the newest first, and the name under which they sign. */
interface LogKeys {
  readonly origin: string;
  readonly keys: readonly SigningKey[];
  readonly readMs: number;
}

/** The write that makes the signer of a new log, with a new key. */
export async function logSignerWrite(
  services: Pick<Services, 'clock' | 'keyring' | 'luids'>,
  ledger: Identity,
): Promise<Write> {
  const seed = createSeed();
  const data = { handle: logSigner, public: publicOf(seed), format: 'ed25519-raw' };
  const version = firstVersion(services, 'signer', { hash: hashOf(data), data }, [], [ledger]);
  const context = contextOfSecret(ledger.handle, version.record.luid, logSecrets.own);
  const secrets = { [logSecrets.own]: await services.keyring.wrap(seed, context) };
  return { ...creation(ledger.handle, version, []), holds: [data.public], secrets };
}

/** The signer of a log, with the ledger's own record; undefined where there is none. */
export async function logSignerOf(
  store: Pick<Store, 'load'>,
  scope: Scope,
): Promise<{ readonly signer: Version; readonly home: Version } | undefined> {
  const [signer, home] = await store.load([
    { what: 'record', scope, kind: 'signer', handle: logSigner },
    { what: 'record', scope: '', kind: 'ledger', handle: scope },
  ]);
  return signer && home && isOfService('signer', signer.record) ? { signer, home } : undefined;
}

type ProvidePorts = Pick<Services, 'clock' | 'keyring' | 'luids' | 'store'> & {
  readonly logs: Logs;
};

/**
 * Makes a log with its signer for a ledger that is older than logs. Throws when an author has made a signer of that
 * name. The log begins before its signer is there: so no relay takes it for a log from the ledger's beginning.
 */
export async function provideLog(ports: ProvidePorts, ledger: Identity): Promise<void> {
  const { logs, store } = ports;
  const scope = ledger.handle;
  await logs.begin(scope, false);
  const wanted = { what: 'record', scope, kind: 'signer', handle: logSigner } as const;
  const [present] = await store.load([wanted]);
  if (!present) {
    // The commit fails only when another process was faster.
    await store.commit({ token: newToken(), writes: [await logSignerWrite(ports, ledger)] });
    return;
  }
  if (!isOfService('signer', present.record))
    throw new Error(
      `The ledger ${scope} has a signer ${logSigner} of its own, so its log cannot be signed: rename that signer.`,
    );
}

export interface CheckpointPorts {
  readonly logs: Logs;
  readonly store: Pick<Store, 'load'>;
  readonly keyring: Pick<Keyring, 'unwrap'>;
  readonly clock?: Clock;
  /** Called for each log that has a new checkpoint. */
  readonly signed?: (scope: Scope) => void;
}

/** Returns a function that signs a checkpoint of all that a log has, unless there is one already. */
export function checkpoints({ logs, signed, ...ports }: CheckpointPorts) {
  const checkpointOf = checkpointMaker(ports);
  return async function signCheckpoint(scope: Scope): Promise<void> {
    // Nothing is appended; what another process has left unfinished is finished.
    const state = await logs.append(scope, []);
    if (!state || state.tree.size === (state.checkpoint?.size ?? 0)) return;
    const checkpoint = await checkpointOf(scope, state.tree);
    if (!checkpoint) return;
    await logs.keep(scope, checkpoint);
    signed?.(scope);
  };
}

/** Returns a function that signs a checkpoint of a tree, which is stored with its log or is so already. */
export function checkpointMaker({
  store,
  keyring,
  clock = Date.now,
}: Pick<CheckpointPorts, 'store' | 'keyring' | 'clock'>): CheckpointOf {
  const known = new Map<Scope, LogKeys>();
  const keysIn = async (scope: Scope): Promise<LogKeys | undefined> => {
    const remembered = known.get(scope);
    if (remembered && Math.abs(clock() - remembered.readMs) < keyMsMax) return remembered;
    const found = await readKeys({ store, keyring }, scope, clock());
    if (!found) return undefined;
    if (known.size >= keyCountMax) known.delete(known.keys().next().value ?? '');
    known.set(scope, found);
    return found;
  };
  return async function checkpointOf(scope, tree) {
    const found = await keysIn(scope);
    if (!found) return undefined;
    const { origin, keys } = found;
    const { size } = tree;
    const text = checkpointText({ origin, size, root: rootOf(tree) });
    const lines = keys.map((key) => {
      const bytes = Buffer.from(signBytes(Buffer.from(text), key), 'base64');
      return signatureLineOf(noteKeyOf(origin, key.public), bytes);
    });
    return { size, note: `${text}\n${lines.join('')}` };
  };
}

/** The key of a log as notes name it. */
export function noteKeyOf(origin: string, publicText: string): NoteKey {
  return { name: origin, public: Buffer.from(publicText, 'base64') };
}

async function readKeys(
  { store, keyring }: Pick<CheckpointPorts, 'store' | 'keyring'>,
  scope: Scope,
  readMs: number,
): Promise<LogKeys | undefined> {
  const found = await logSignerOf(store, scope);
  if (!found) return undefined;
  const { record } = found.signer;
  const [secrets, own] = await store.load([
    { what: 'secrets', scope, luid: record.luid },
    { what: 'secret', scope },
  ]);
  // A ledger that is being imported gets its key last; until then nothing is done in its name.
  if (!secrets?.[logSecrets.own] || !own) return undefined;
  const [newest, before] = keysOf(record).toReversed();
  const keyOf = async (name: string, entry: KeyEntry | undefined): Promise<SigningKey[]> => {
    const seed = entry && (await unwrappedIn({ keyring, scope, luid: record.luid }, secrets, name));
    return seed ? [{ public: entry.public, privateKey: privateKeyOf(seed) }] : [];
  };
  const isOverlap = before?.until !== undefined && readMs <= Date.parse(before.until);
  const keys = [
    ...(await keyOf(logSecrets.own, newest)),
    ...(isOverlap ? await keyOf(logSecrets.former, before) : []),
  ];
  return { origin: originOf(found.home.record.luid), keys, readMs };
}

interface LogAttachment {
  readonly keyring: Pick<Keyring, 'unwrap'>;
  readonly scope: Scope;
  readonly luid: string;
}

/** A private half in the attachment of the signer of a log; undefined where there is none of this name. */
export async function unwrappedIn(
  { keyring, scope, luid }: LogAttachment,
  secrets: WrappedSecrets,
  name: string,
): Promise<Uint8Array | undefined> {
  const wrapped = secrets[name];
  return wrapped && keyring.unwrap(wrapped, contextOfSecret(scope, luid, name));
}
