/** The signers of proofs as principals, for the matchers of quorums. Ruling 32. */
import { nameWithin } from '../ledger/kind.ts';
import type { Principal } from '../ledger/matcher.ts';
import type { LedgerRecord } from '../ledger/record.ts';
import type { Call } from '../port/action.ts';
import { publicsOf } from '../record/author.ts';
import { isInactive } from '../record/inactive.ts';
import { type Reader, readerFor, signersOf } from '../record/reader.ts';
import type { Proof } from '../shape/proof.ts';
import { endedAmong } from './ended.ts';
import { ownedBy } from './principals.ts';

/** Principals in the order of their proofs, at least one. */
export type Principals = readonly [Principal, ...Principal[]];

/** All proofs use one key format. Ruling 7. */
const format = 'ed25519-raw';

/**
 * Reads the signers as they are now, renamed or no longer in a circle. The key of an inactive signer or factor is nobody's
 * (Decision 33). Two reads, and two more where a factor's key has signed.
 */
export async function principalsOf(
  call: Call,
  record: LedgerRecord,
  proofs: readonly [Proof, ...Proof[]],
  circles: readonly string[],
): Promise<Principals> {
  const reader = readerFor(call);
  const holders = await reader.holders(publicsOf(proofs));
  const signers = signersOf(holders);
  const handles = [...new Set(signers.values())];
  const [home, named, known] = await Promise.all([
    reader.home(),
    reader.recent('circle', circles),
    Promise.all(handles.map((handle) => readSigner(reader, handle, circles))),
  ]);
  const active = new Set(
    named.flatMap((circle) => (circle && !isInactive(circle) ? circle.record.data.handle : [])),
  );
  const byHandle = new Map(known.map((one) => [one.handle, one]));
  const ends = await endedAmong(call, holders, byHandle);
  const principalOf = (proof: Proof): Principal => {
    const handle = signers.get(proof.public);
    const { signer, linked = [] } = byHandle.get(handle ?? '') ?? {};
    const { public: key } = proof;
    const ended = ends.get(key);
    const owns = ownedBy({ key, holder: holders.get(key), ended }, record, home);
    if (ended) return { public: key, format, circles: new Set(), owns };
    const { schema, custom } = signer?.record.data ?? {};
    const own = new Set(linked.filter((circle) => active.has(circle)));
    return { handle, public: key, format, schema, custom, circles: own, owns };
  };
  const [first, ...others] = proofs;
  return [principalOf(first), ...others.map(principalOf)];
}

/** Reads a signer, and which of the circles it is linked to. */
async function readSigner(reader: Reader, handle: string, circles: readonly string[]) {
  const [signer, links] = await Promise.all([
    reader.record('signer', handle),
    reader.records(
      'circle-signer',
      circles.map((circle) => nameWithin(circle, handle)),
    ),
  ]);
  const linked = links.flatMap((link) => (link ? String(link.record.data['circle']) : []));
  return { handle, signer, linked };
}
