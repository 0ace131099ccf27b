/** How a record begins: its first version, and what is stored with it. */
import { timeOfLuid } from '../crypto/luid.ts';
import { type Kind, lineOf } from '../ledger/kind.ts';
import { type LedgerRecord, type Version, versionOf } from '../ledger/record.ts';
import { sealedOf } from '../ledger/seal.ts';
import type { Identity, Services } from '../port/action.ts';
import type { Write } from '../port/ports.ts';
import type { Proof } from '../shape/proof.ts';
import type { Draft } from './author.ts';
import { countersign, momentOf } from './sign.ts';

/** What a record begins with. */
interface Beginning extends Pick<Draft, 'hash' | 'data'> {
  readonly domain?: string | undefined;
  /** What its authors say of it, where they may. */
  readonly status?: string | undefined;
}

/** The first version of a record: the authors' proofs, then one of each identity given. Ruling 8. */
export function firstVersion(
  services: Services,
  kind: Kind,
  { hash, data, domain, status = 'created' }: Beginning,
  authored: readonly Proof[],
  identities: readonly Identity[],
): Version {
  const luid = services.luids(lineOf(kind).prefix, services.clock());
  const moment = momentOf(timeOfLuid(luid));
  const said = { luid, moment, status };
  const proofs = [...authored, ...identities.map((one) => countersign(one, hash, said))];
  const owners = [...new Set(authored.map((proof) => proof.public))];
  const meta = { proofs, status, moment, owners, ...(domain !== undefined && { domain }) };
  const record: LedgerRecord = { luid, hash, data, meta };
  return versionOf(kind, record, [{ action: 'create', status, moment, proofs: proofs.length }]);
}

/** The write that stores a first version, with its signal and what must be remembered of it. */
export function creation(scope: string, version: Version, authored: readonly Proof[]): Write {
  const { kind, change } = version;
  const signals = [{ signal: `${kind}-created`, change }];
  const write = { scope, next: version, signals };
  const seals = sealedOf(kind, authored);
  return seals.length > 0 ? { ...write, seals } : write;
}
