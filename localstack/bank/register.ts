/**
 * Registers a bank with the ledger: its signer, its bridge, the wallet whose money it holds, and a symbol. Missing
 * records are created; records of other owners are never changed. Rulings 53 and 54.
 */
import { type SigningKey, sign } from '../../shared/crypto/proof.ts';
import {
  Declined,
  type LedgerClient,
  ServerUnreachable,
  type SignedRecord,
  signedRecord,
  signedUpdate,
} from '../cli/client.ts';

export interface Registration {
  readonly name: string;
  readonly key: SigningKey;
  /** The address that the ledger calls. */
  readonly address: string;
  readonly symbol: string;
}

/** The smallest unit is a hundredth, as a cent. */
const factor = 100;

/** Delay before the next attempt at a ledger that cannot be reached, in milliseconds. */
const waitMs = 2_000;

/**
 * Registers the bank. When the ledger cannot be reached, this throws; with `isPatient` it tries again until the ledger
 * answers. Returns a function that ends the attempts.
 */
export async function announce(
  ledger: LedgerClient,
  bank: Registration,
  { say, isPatient }: { readonly say: (line: string) => void; readonly isPatient: boolean },
): Promise<() => void> {
  const attempt = async () => {
    for (const done of await register(ledger, bank)) say(done);
  };
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const later = ({ message }: Error) => {
    if (isStopped) return;
    say(`${message} Trying again.`);
    timer = setTimeout(() => void attempt().catch(later), waitMs);
  };
  await attempt().catch((error: unknown) => {
    if (!isPatient || !(error instanceof ServerUnreachable)) throw error;
    later(error);
  });
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}

/** Creates missing records; returns a line for each record that it made or changed. */
async function register(ledger: LedgerClient, bank: Registration): Promise<readonly string[]> {
  const { name, key, address, symbol } = bank;
  const done: string[] = [];
  const ensure = async (group: string, data: SignedRecord['data']): Promise<SignedRecord> => {
    const path = `/${group}/${encodeURIComponent(String(data['handle']))}`;
    // Without the right to read, the answer is forbidden in either case; the create finds out.
    const found = await ledger.get(path).catch(unless('record.not-found', 'auth.forbidden'));
    if (found) return found;
    const made = await ledger
      .post(`/${group}`, signedRecord(data, key))
      .catch(unless('record.duplicated'));
    // Another bank that starts at the same time has made it.
    if (!made) return ledger.get(path);
    done.push(`made ${group.slice(0, -1)} ${data['handle']}`);
    return made;
  };
  const mine = (kind: string, isMine: boolean) => {
    if (!isMine) throw new Error(`The ledger has another ${kind} ${name}. Choose another name.`);
  };
  const signer = await ensure('signers', {
    handle: name,
    public: key.public,
    format: 'ed25519-raw',
  });
  mine('signer', signer.data['public'] === key.public);
  const config = { server: address };
  const traits = ['debits', 'credits', 'statuses'];
  const bridge = await ensure('bridges', { handle: name, config, traits });
  mine('bridge', (bridge.meta['owners'] as readonly string[]).includes(key.public));
  const current = bridge.data['config'] as typeof config;
  const isMoved = current.server !== address;
  if (isMoved) done.push(`moved bridge ${name} to ${address}`);
  const moved = { config: { ...current, ...config } };
  const latest = isMoved
    ? await ledger.put(`/bridges/${name}`, signedUpdate(bridge, moved, key))
    : bridge;
  done.push(...(await activate(ledger, latest, bank)));
  const wallet = await ensure('wallets', { handle: name, bridge: name });
  mine('wallet', wallet.data['bridge'] === name);
  await ensure('symbols', { handle: symbol, factor });
  return done;
}

/**
 * Activates the bridge, which gives its wallets credit. In an open ledger the bank may do so; in a closed one it needs
 * the right, and goes on without credit if it has none. Ruling 69.
 */
async function activate(
  ledger: LedgerClient,
  { hash, meta }: SignedRecord,
  { name, key }: Registration,
): Promise<readonly string[]> {
  if (meta['status'] !== 'created') return [];
  const proof = sign(hash, { moment: new Date().toISOString(), status: 'active' }, key);
  const activated = await ledger
    .post(`/bridges/${name}/proofs`, proof)
    .catch(unless('auth.forbidden'));
  return [
    activated
      ? `activated bridge ${name}`
      : `bridge ${name} has no credit until a signer with the right to do so activates it`,
  ];
}

/** Handles an expected error: undefined for one of these reasons, else it throws again. */
function unless(...reasons: readonly string[]): (error: unknown) => undefined {
  return (error) => {
    if (error instanceof Declined && reasons.includes(error.reason)) return undefined;
    throw error;
  };
}
