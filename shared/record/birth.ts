/** Creation of a record: its first version, and the write that stores it. */
import { timeOfLuid } from '../crypto/luid.ts';
import { type Kind, lineOf } from '../ledger/kind.ts';
import { type LedgerRecord, type Version, versionOf } from '../ledger/record.ts';
import { guardedProofs } from '../ledger/replay-guard.ts';
import type { Identity, Services } from '../port/action.ts';
import type { Write } from '../port/ports.ts';
import type { Proof } from '../shape/proof.ts';
import type { Draft } from './author.ts';
import { countersign, momentOf } from './sign.ts';

interface Beginning extends Pick<Draft, 'hash' | 'data'> {
  readonly domain?: string | undefined;
  /** The status that its authors ask for, where they may. */
  readonly status?: string | undefined;
}

/** Makes the first version of a record: the proofs of its authors, then one of each identity. Ruling 8. */
export function firstVersion(
  services: Pick<Services, 'clock' | 'luids'>,
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

/** The write of a first version, with its `-created` signal and its replay guards. */
export function creation(scope: string, version: Version, authored: readonly Proof[]): Write {
  const { kind, change } = version;
  const signals = [{ signal: `${kind}-created`, change }];
  const write = { scope, next: version, signals };
  const guards = guardedProofs(kind, authored);
  return guards.length > 0 ? { ...write, replayGuards: guards } : write;
}
