/**
 * Registers a bank with the ledger: its signer, its bridge, the wallet whose money it holds, and a symbol. Missing
 * records are created; records of other owners are never changed. Rulings 53 and 54.
 */
import { type Ledger, LedgerRefused, LedgerUnreachable } from '../../shared/client/client.ts';

export interface Registration {
  readonly name: string;
  /** The public key of the bank's signer, with which the client signs. */
  readonly key: string;
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
  ledger: Ledger,
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
    if (!isPatient || !(error instanceof LedgerUnreachable)) throw error;
    later(error);
  });
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}

/** A record of the bank, as far as it is looked at. */
interface BankRecord {
  readonly luid: string;
  readonly hash: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly meta: {
    readonly owners?: readonly string[];
    readonly predecessors?: readonly string[];
    readonly status?: string;
  };
}

type RegisteredGroup = 'signers' | 'bridges' | 'wallets' | 'symbols';

/** The record of this handle, which is created when it is missing; `made` is told of it. */
async function ensure(
  ledger: Ledger,
  group: RegisteredGroup,
  data: { readonly handle: string } & Readonly<Record<string, unknown>>,
  made: (line: string) => void,
): Promise<BankRecord> {
  // Groups have paths of the same form; the types of one of them stand for all.
  const get = () => ledger.get(`/${group}/{id}` as '/wallets/{id}', { path: { id: data.handle } });
  // Without the right to read, the answer is forbidden in either case; the create finds out.
  const found = await get().catch(unless('record.not-found', 'auth.forbidden'));
  if (found) return found as unknown as BankRecord;
  const created = await ledger
    .create(`/${group}` as '/wallets', data)
    .catch(unless('record.duplicated'));
  // Another bank that starts at the same time has made it.
  if (!created) return (await get()) as unknown as BankRecord;
  made(`made ${group.slice(0, -1)} ${data.handle}`);
  return created as unknown as BankRecord;
}

/** Creates missing records; returns a line for each record that it made or changed. */
async function register(ledger: Ledger, bank: Registration): Promise<readonly string[]> {
  const { name, key, address, symbol } = bank;
  const done: string[] = [];
  const made = (line: string) => void done.push(line);
  const mine = (kind: string, isMine: boolean | undefined) => {
    if (!isMine) throw new Error(`The ledger has another ${kind} ${name}. Choose another name.`);
  };
  const data = { handle: name, public: key, format: 'ed25519-raw' };
  const signer = await ensure(ledger, 'signers', data, made);
  mine('signer', signer.data['public'] === key);
  const config = { server: address };
  const traits = ['debits', 'credits', 'statuses'];
  const bridge = await ensure(ledger, 'bridges', { handle: name, config, traits }, made);
  const own = [key, ...(signer.meta.predecessors ?? [])];
  mine(
    'bridge',
    own.some((one) => bridge.meta.owners?.includes(one)),
  );
  const current = bridge.data['config'] as typeof config;
  const isMoved = current.server !== address;
  if (isMoved) done.push(`moved bridge ${name} to ${address}`);
  const moved = { config: { ...current, ...config } };
  const latest = isMoved ? await ledger.update('/bridges/{id}', bridge, moved) : bridge;
  done.push(...(await activate(ledger, latest as BankRecord, name)));
  const wallet = await ensure(ledger, 'wallets', { handle: name, bridge: name }, made);
  mine('wallet', wallet.data['bridge'] === name);
  await ensure(ledger, 'symbols', { handle: symbol, factor }, made);
  return done;
}

/**
 * Activates the bridge, which gives its wallets credit. In an open ledger the bank may do so; in a closed one it needs
 * the right, and goes on without credit if it has none. Ruling 69.
 */
async function activate(
  ledger: Ledger,
  bridge: BankRecord,
  name: string,
): Promise<readonly string[]> {
  if (bridge.meta.status !== 'created') return [];
  const activated = await ledger
    .prove('/bridges/{id}/proofs', bridge, { status: 'active' })
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
    if (error instanceof LedgerRefused && reasons.includes(error.reason)) return undefined;
    throw error;
  };
}
