/**
 * What the ledger must know of a bank: its key, where its bridge is, the wallet whose money it has, and a
 * symbol to move. Each is made when it is missing; what somebody else has made is not touched. Rulings 53 and 54.
 */
import { type SigningKey, sign } from '../../shared/crypto/proof.ts';
import {
  type Client,
  Declined,
  type Signed,
  signedRecord,
  signedUpdate,
  Unreachable,
} from '../cli/client.ts';

/** A bank as it wants to be known. */
export interface Registration {
  readonly name: string;
  readonly key: SigningKey;
  /** Where the ledger can call it. */
  readonly address: string;
  readonly symbol: string;
}

/** Units of which a hundred make one, as cents do. */
const factor = 100;

/** How long to wait for a ledger that is away, in milliseconds. */
const waitMs = 2_000;

/**
 * Makes the bank known to the ledger. Who is patient does not need the ledger for that now: when it is away,
 * it is told once it is back. Answers how to stop trying.
 */
export async function announce(
  ledger: Client,
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
    if (!isPatient || !(error instanceof Unreachable)) throw error;
    later(error);
  });
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}

/** Makes what is missing; answers what it has made or changed. */
async function register(ledger: Client, bank: Registration): Promise<readonly string[]> {
  const { name, key, address, symbol } = bank;
  const done: string[] = [];
  const ensure = async (group: string, data: Signed['data']): Promise<Signed> => {
    const path = `/${group}/${encodeURIComponent(String(data['handle']))}`;
    // Who may not read hears that it is forbidden, whether it is there or not: making it tells.
    const found = await ledger.get(path).catch(unless('record.not-found', 'auth.forbidden'));
    if (found) return found;
    const made = await ledger
      .post(`/${group}`, signedRecord(data, key))
      .catch(unless('record.duplicated'));
    // Another bank that starts just now has made it.
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
 * Says that the bridge is active, from when on its wallets have credit. In an open ledger everybody may; in others the
 * bank may not by itself, and goes on without. Ruling 69.
 */
async function activate(
  ledger: Client,
  { hash, meta }: Signed,
  { name, key }: Registration,
): Promise<readonly string[]> {
  if (meta['status'] !== 'created') return [];
  const proof = sign(hash, { moment: new Date().toISOString(), status: 'active' }, key);
  const said = await ledger.post(`/bridges/${name}/proofs`, proof).catch(unless('auth.forbidden'));
  return [
    said
      ? `activated bridge ${name}`
      : `bridge ${name} has no credit until somebody activates it who has the right to`,
  ];
}

/** What is expected to be declined for one of these reasons is undefined then. */
function unless(...reasons: readonly string[]): (error: unknown) => undefined {
  return (error) => {
    if (error instanceof Declined && reasons.includes(error.reason)) return undefined;
    throw error;
  };
}
