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
import { type NoteKey, signatureLineOf } from '../log/note.ts';
import { rootOf } from '../log/tree.ts';
import type { Identity, Services } from '../port/action.ts';
import type { Logs } from '../port/logs.ts';
import type { Keyring, Scope, Store, Write } from '../port/ports.ts';
import { creation, firstVersion } from './birth.ts';
import { newToken } from './commit.ts';
import { isOfService } from './service-signer.ts';

/** The name of the private half in the attachment of the signer. */
const secretName = 'private';
/** The number of unwrapped keys in memory; the oldest one is dropped first. */
const keyCountMax = 1_000;

/** The key of a log, and the name under which it signs. */
interface LogKey {
  readonly origin: string;
  readonly key: SigningKey;
}

/** The write that makes the signer of a new log, with a new key. */
export async function logSignerWrite(
  services: Pick<Services, 'clock' | 'keyring' | 'luids'>,
  ledger: Identity,
): Promise<Write> {
  const seed = createSeed();
  const data = { handle: logSigner, public: publicOf(seed), format: 'ed25519-raw' };
  const version = firstVersion(services, 'signer', { hash: hashOf(data), data }, [], [ledger]);
  const context = contextOfSecret(ledger.handle, version.record.luid, secretName);
  const secrets = { [secretName]: await services.keyring.wrap(seed, context) };
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
}

/** Returns a function that signs a checkpoint of all that a log has, unless there is one already. */
export function checkpoints({ logs, store, keyring }: CheckpointPorts) {
  const known = new Map<Scope, LogKey>();
  const keyOf = async (scope: Scope): Promise<LogKey | undefined> => {
    const found = known.get(scope) ?? (await readKey(store, keyring, scope));
    if (!found) return undefined;
    if (known.size >= keyCountMax) known.delete(known.keys().next().value ?? '');
    known.set(scope, found);
    return found;
  };
  return async function signCheckpoint(scope: Scope): Promise<void> {
    // Nothing is appended; what another process has left unfinished is finished.
    const state = await logs.append(scope, []);
    if (!state || state.tree.size === (state.checkpoint?.size ?? 0)) return;
    const found = await keyOf(scope);
    if (!found) return;
    const { origin, key } = found;
    const { size } = state.tree;
    const text = checkpointText({ origin, size, root: rootOf(state.tree) });
    const bytes = Buffer.from(signBytes(Buffer.from(text), key), 'base64');
    const note = `${text}\n${signatureLineOf(noteKeyOf(origin, key.public), bytes)}`;
    await logs.keep(scope, { size, note });
  };
}

/** The key of a log as notes name it. */
export function noteKeyOf(origin: string, publicText: string): NoteKey {
  return { name: origin, public: Buffer.from(publicText, 'base64') };
}

async function readKey(
  store: Pick<Store, 'load'>,
  keyring: Pick<Keyring, 'unwrap'>,
  scope: Scope,
): Promise<LogKey | undefined> {
  const found = await logSignerOf(store, scope);
  if (!found) return undefined;
  const { luid, data } = found.signer.record;
  const [secrets, own] = await store.load([
    { what: 'secrets', scope, luid },
    { what: 'secret', scope },
  ]);
  const wrapped = secrets?.[secretName];
  // A ledger that is being imported gets its key last; until then nothing is done in its name.
  if (!wrapped || !own) return undefined;
  const seed = await keyring.unwrap(wrapped, contextOfSecret(scope, luid, secretName));
  const key = { public: String(data['public']), privateKey: privateKeyOf(seed) };
  return { origin: originOf(found.home.record.luid), key };
}
