/**
 * Rotation of a ledger's keys: its signer `system` or `log` gets a new key, which the old one signs, in one commit.
 * Ruling 99, Decision 116.
 */
import { hashOf } from '../crypto/digest.ts';
import { createSeed, privateKeyOf, publicOf } from '../crypto/key.ts';
import { type SigningKey, sign } from '../crypto/proof.ts';
import { contextOfSecret } from '../crypto/secret.ts';
import { type Version, versionOf } from '../ledger/record.ts';
import type { logSigner } from '../log/checkpoint.ts';
import { type KeyEntry, keysOf, linkHashOf } from '../log/key-table.ts';
import type { Identity } from '../port/action.ts';
import type { Logs } from '../port/logs.ts';
import type {
  Clock,
  Commit,
  Keyring,
  Scope,
  Secret,
  Store,
  WrappedSecrets,
} from '../port/ports.ts';
import { laterMoment, newToken } from './commit.ts';
import { logSecrets, unwrappedIn } from './log-signer.ts';
import { isOfService } from './service-signer.ts';
import { countersign, momentOf, systemSigner } from './sign.ts';

/** The signers whose keys rotate. */
export type RotatedSigner = typeof systemSigner | typeof logSigner;

/** The shortest overlap: an instance that read the old key a minute ago may be in a request for half a minute more. */
export const overlapMsMin = 10 * 60_000;

export interface RotationPorts {
  readonly store: Pick<Store, 'load' | 'commit'>;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly logs: Pick<Logs, 'read'>;
}

export interface Rotation {
  readonly scope: Scope;
  readonly signer: RotatedSigner;
  /** The time for which the old key counts beside the new one, in milliseconds. */
  readonly overlapMs: number;
  /** True when others may have the old key: it then signs nothing more, and no chain leads through it. */
  readonly isCompromised: boolean;
}

/** The old key with its end, and the new one. */
export interface Rotated {
  readonly before: KeyEntry;
  readonly newest: KeyEntry;
}

/** The rotation cannot be done now; nothing was changed. The message is for the operator. */
export class RotationRefused extends Error {
  override readonly name: string = 'RotationRefused';
}

/** The ledger is not in the table. */
class UnknownLedgerRefused extends RotationRefused {
  override readonly name = 'UnknownLedger';
}

/** Everything that a rotation reads. */
interface Present {
  readonly signer: Version;
  readonly identity: Identity;
  readonly secret: Secret;
  /** Of the signer `log`: its attachment. */
  readonly secrets?: WrappedSecrets;
}

/** The new key, and the moment of the rotation. */
interface NextKey {
  readonly next: SigningKey;
  readonly moment: string;
}

/**
 * Gives a signer a new key. Throws `RotationRefused` while the overlap of the last rotation lasts (but for a compromised
 * key), and when somebody else rotates at the same time.
 */
export async function rotateKey(ports: RotationPorts, rotation: Rotation): Promise<Rotated> {
  const present = await readPresent(ports, rotation);
  assertDue(present, rotation, ports.clock());
  const seed = createSeed();
  const next = { public: publicOf(seed), privateKey: privateKeyOf(seed) };
  const moment = laterMoment(ports.clock(), present.signer);
  const keys = await nextKeys(ports, rotation, present, { next, moment });
  const version = nextVersion(rotation, present, { next, moment, keys });
  const commit = await commitOf(ports, rotation, present, { seed, version });
  const conflicts = await ports.store.commit(commit);
  if (conflicts.length > 0)
    throw new RotationRefused(
      `Somebody else has rotated this key at the same time; look at GET /signers/${rotation.signer}.`,
    );
  const [newest, before] = keys.toReversed() as [KeyEntry, KeyEntry];
  return { before, newest };
}

async function readPresent(
  { store, keyring }: RotationPorts,
  { scope, signer: handle }: Rotation,
): Promise<Present> {
  const [signer, secret] = await store.load([
    { what: 'record', scope, kind: 'signer', handle },
    { what: 'secret', scope },
  ]);
  if (!secret)
    throw new UnknownLedgerRefused(`There is no ledger ${scope} with a key in this table.`);
  if (!signer || !isOfService('signer', signer.record))
    throw new RotationRefused(
      `The ledger ${scope} has no signer ${handle} of its own: run \`countersign reindex\` first.`,
    );
  const privateKey = privateKeyOf(await keyring.unwrap(secret.wrapped, scope));
  const identity = { handle: scope, key: { public: secret.public, privateKey } };
  if (handle === systemSigner) return { signer, identity, secret };
  const [secrets] = await store.load([{ what: 'secrets', scope, luid: signer.record.luid }]);
  if (!secrets?.[logSecrets.own])
    throw new RotationRefused(`The ledger ${scope} has no private key of its log.`);
  return { signer, identity, secret, secrets };
}

/** Refuses a rotation within the overlap of the one before: three keys would count at once. */
function assertDue(
  { signer }: Present,
  { overlapMs, isCompromised }: Rotation,
  nowMs: number,
): void {
  if (overlapMs < overlapMsMin)
    throw new RotationRefused(`An overlap takes ${overlapMsMin / 60_000} minutes at least.`);
  const until = keysOf(signer.record).at(-2)?.until;
  if (isCompromised || until === undefined || nowMs > Date.parse(until)) return;
  throw new RotationRefused(
    `The key before counts until ${until}: rotate again after that, or with --compromised now.`,
  );
}

/** The keys after the rotation: the last one gets its end, and signs the new one. */
async function nextKeys(
  { keyring, logs }: RotationPorts,
  { scope, overlapMs, isCompromised }: Rotation,
  { signer, identity, secrets }: Present,
  { next, moment: from }: NextKey,
): Promise<readonly KeyEntry[]> {
  const { luid } = signer.record;
  const keys = keysOf(signer.record);
  const last = keys.at(-1) as KeyEntry;
  const seed = secrets && (await unwrappedIn({ keyring, scope, luid }, secrets, logSecrets.own));
  const own = seed ? { public: last.public, privateKey: privateKeyOf(seed) } : identity.key;
  const until = momentOf(Date.parse(from) + overlapMs);
  const log = await logs.read(scope);
  const ended = {
    ...{ ...last, until },
    ...(log && { size: log.tree.size }),
    ...(isCompromised && { compromised: from }),
  };
  const hash = linkHashOf(luid, last.public, { public: next.public, from });
  const proofs = [own, next].map((key) => sign(hash, { luid, moment: from }, key));
  return [...keys.slice(0, -1), ended, { public: next.public, from, proofs }];
}

/** The record with the new key: signed by the old and the new key of the ledger, or, for its log, by the ledger. */
function nextVersion(
  { signer: handle, scope }: Rotation,
  { signer, identity }: Present,
  { next, moment, keys }: NextKey & { readonly keys: readonly KeyEntry[] },
): Version {
  const { luid, hash: parent, data: before, meta } = signer.record;
  const data = { ...before, public: next.public, keys, parent };
  const hash = hashOf(data);
  const identities =
    handle === systemSigner ? [identity, { handle: scope, key: next }] : [identity];
  const proofs = identities.map((one) => countersign(one, hash, { luid, moment }));
  const record = { luid, hash, data, meta: { ...meta, proofs, moment } };
  const step = { action: 'update', status: meta.status, moment, proofs: proofs.length } as const;
  return versionOf('signer', record, [step], signer);
}

/** The commit of a rotation. A compromised key is kept no longer. */
async function commitOf(
  { keyring }: RotationPorts,
  { scope, isCompromised }: Rotation,
  { signer, secret, secrets }: Present,
  { seed, version }: { readonly seed: Uint8Array; readonly version: Version },
): Promise<Commit> {
  const { luid, data } = version.record;
  const [newest, before] = keysOf(version.record).toReversed() as [KeyEntry, KeyEntry];
  const signals = [{ signal: 'signer-updated', change: version.change }];
  const write = {
    scope,
    next: version,
    previous: signer,
    signals,
    holds: [String(data['public'])],
  };
  if (secrets) {
    const wrap = (bytes: Uint8Array, name: string) =>
      keyring.wrap(bytes, contextOfSecret(scope, luid, name));
    const old = await unwrappedIn({ keyring, scope, luid }, secrets, logSecrets.own);
    const kept = {
      [logSecrets.own]: await wrap(seed, logSecrets.own),
      ...(old && !isCompromised && { [logSecrets.former]: await wrap(old, logSecrets.former) }),
    };
    return { token: newToken(), writes: [{ ...write, secrets: kept }] };
  }
  const untilMs = Date.parse(String(before.until));
  const former = { public: secret.public, wrapped: secret.wrapped, untilMs };
  const key = {
    ...{ scope, public: newest.public, wrapped: await keyring.wrap(seed, scope) },
    ...(!isCompromised && { former }),
    replaces: secret.wrapped,
  };
  return { token: newToken(), writes: [write], secrets: [key] };
}
