/** Who signed: what a ledger knows of the signers of proofs, as matchers ask for it. Ruling 32. */
import { nameWithin } from '../ledger/kind.ts';
import type { Party } from '../ledger/matcher.ts';
import type { LedgerRecord, Version } from '../ledger/record.ts';
import type { Call } from '../port/action.ts';
import type { Scope, Want } from '../port/ports.ts';
import { holderWants, publicsOf, signersOf } from '../record/author.ts';
import { isInactive } from '../record/inactive.ts';
import type { Proof } from '../shape/proof.ts';

/** Parties in the order of their proofs; there is always one. */
export type Parties = readonly [Party, ...Party[]];

/** All keys that prove are of one format. Ruling 7. */
const format = 'ed25519-raw';

/** A signer as the ledger knows them now. */
interface Known {
  readonly signer: Version | undefined;
  readonly circles: ReadonlySet<string>;
}

/**
 * The parties that signed, as they are now: a signer who was renamed, left a circle or lost a key is
 * judged by that. Two reads, whatever is asked.
 */
export async function partiesOf(
  { services, ledger }: Call,
  record: LedgerRecord,
  proofs: readonly [Proof, ...Proof[]],
  circles: readonly string[],
): Promise<Parties> {
  const scope = ledger.handle;
  const publics = publicsOf(proofs);
  const signers = signersOf(publics, await services.store.load(holderWants(scope, publics)));
  const handles = [...new Set(signers.values())];
  const [home, ...found] = await services.store.load([
    { what: 'record', scope: '', kind: 'ledger', handle: scope },
    ...knownWants(scope, handles, circles),
  ]);
  const known = knownIn(found, handles, circles.length);
  const partyOf = (proof: Proof): Party => {
    const handle = signers.get(proof.public);
    const { signer, circles: own = new Set<string>() } = known.get(handle ?? '') ?? {};
    const { schema, custom } = signer?.record.data ?? {};
    const owns = ownsOf(proof, record, home?.record);
    return { handle, public: proof.public, format, schema, custom, circles: own, owns };
  };
  const [first, ...others] = proofs;
  return [partyOf(first), ...others.map(partyOf)];
}

/** The circles, and then each signer with a link to each of them. */
function knownWants(
  scope: Scope,
  handles: readonly string[],
  circles: readonly string[],
): (Want & { readonly what: 'record' })[] {
  return [
    ...circles.map((circle) => recordWant(scope, 'circle', circle)),
    ...handles.flatMap((handle) => [
      recordWant(scope, 'signer', handle),
      ...circles.map((circle) => recordWant(scope, 'circle-signer', nameWithin(circle, handle))),
    ]),
  ];
}

/** What was found, as `knownWants` asked for it, by signer. */
function knownIn(
  found: readonly (Version | undefined)[],
  handles: readonly string[],
  circleCount: number,
): ReadonlyMap<string, Known> {
  const granting = new Set(
    found
      .slice(0, circleCount)
      .flatMap((circle) => (circle && !isInactive(circle) ? [circle] : []))
      .map(({ record }) => record.data.handle),
  );
  const rest = found.slice(circleCount);
  return new Map(
    handles.map((handle) => {
      const [signer, ...links] = rest.splice(0, 1 + circleCount);
      return [handle, { signer, circles: circlesIn(links, granting) }];
    }),
  );
}

function recordWant(
  scope: Scope,
  kind: 'circle' | 'circle-signer' | 'signer',
  handle: string,
): Want & { readonly what: 'record' } {
  return { what: 'record', scope, kind, handle };
}

function circlesIn(
  links: readonly (Version | undefined)[],
  granting: ReadonlySet<string>,
): ReadonlySet<string> {
  const named = links.flatMap((link) => (link ? [String(link.record.data['circle'])] : []));
  return new Set(named.filter((circle) => granting.has(circle)));
}

function ownsOf(
  { public: key }: Proof,
  record: LedgerRecord,
  ledger: LedgerRecord | undefined,
): ReadonlySet<'record' | 'ledger'> {
  const owns = new Set<'record' | 'ledger'>();
  if (record.meta.owners.includes(key)) owns.add('record');
  if (ledger?.meta.owners.includes(key)) owns.add('ledger');
  return owns;
}
