/**
 * Who calls: the keys that signed the body and the token that came with it, with what the ledger knows of
 * their signers now. Rulings 26, 32 and 36.
 */
import type { Caller } from '../ledger/access.ts';
import type { Party } from '../ledger/matcher.ts';
import type { LedgerRecord, Version } from '../ledger/record.ts';
import type { Bearer } from '../ledger/rule.ts';
import type { Call } from '../port/action.ts';
import type { Bearer as Sender } from '../port/bearer.ts';
import { publicsOf } from '../record/author.ts';
import { isInactive } from '../record/inactive.ts';
import { providerOf } from '../record/provider.ts';
import { type Reader, readerFor } from '../record/reader.ts';

/** Who calls, before it is known which record is asked about. */
export interface Callers {
  readonly authors?: readonly KnownPrincipal[] | undefined;
  readonly bearer?:
    | { readonly claims: Omit<Bearer, 'party'>; readonly known: KnownPrincipal }
    | undefined;
  /** The active circles that any of them is a member of. */
  readonly circles: readonly Version[];
}

/** A party, before it is known which record is asked about. */
type KnownPrincipal = Omit<Party, 'owns'>;

/** All keys that prove are of one format. Ruling 7. */
const format = 'ed25519-raw';

/** Reads who calls: whose the keys are, and which circles they are members of. */
export async function callersOf(call: Call, home?: LedgerRecord): Promise<Callers> {
  const reader = readerFor(call);
  const bearer = isForged(call.bearer, home) ? undefined : call.bearer;
  const authors = authorsOf(call);
  const publics = publicsOf([
    ...(authors ?? []),
    ...(bearer?.public === undefined ? [] : [{ public: bearer.public }]),
  ]);
  const signers = await reader.signers(publics);
  const handles = new Set([...signers.values(), ...(bearer?.signer ? [bearer.signer] : [])]);
  const known = await knownOf(call, reader, [...handles]);
  const partyOf = (key: string | undefined, handle: string | undefined): KnownPrincipal => {
    const { signer, circles = new Set<string>() } = known.get(handle ?? '') ?? {};
    const data: Partial<LedgerRecord['data']> = signer?.data ?? {};
    const { schema, custom } = data;
    // Only the key that was used owns: a signer's record may show a key that somebody else holds.
    return { handle, public: key, format: key && format, schema, custom, circles };
  };
  return {
    authors: authors?.map(({ public: key }) => partyOf(key, signers.get(key))),
    bearer: bearer && {
      claims: { ...bearer.claims, hsh: bearer.hsh, isSubject: isSubject(bearer) },
      known: partyOf(bearer.public, bearer.signer),
    },
    circles: distinctCircles([...known.values()].flatMap((one) => one.granting)),
  };
}

/**
 * Whether a signer's token says that the provider of this ledger made it. The ledger that is addressed refuses
 * it at once; another one, whose record is asked for, does not listen to it. Decisions 40 and 45.
 */
function isForged(bearer: Sender | undefined, home: LedgerRecord | undefined): boolean {
  if (bearer?.kind !== 'signer' || bearer.signer === bearer.claims.iss) return false;
  return bearer.claims.iss === providerOf(home);
}

/** Whether a token speaks for whom it says: the provider knows, and a signer knows of themself. Decision 45. */
function isSubject({ kind, claims, signer, public: key }: Sender): boolean {
  return kind === 'provider' || [signer, key].includes(claims.sub);
}

/** The callers as they stand to a record: which of them own it, or the ledger. */
export function callerOf(
  { authors, bearer }: Callers,
  record: LedgerRecord | undefined,
  ledger: LedgerRecord | undefined,
): Caller {
  const owned = (party: KnownPrincipal): Party => {
    const { public: key = '' } = party;
    const owns = new Set<'record' | 'ledger'>();
    if (record?.meta.owners.includes(key)) owns.add('record');
    if (ledger?.meta.owners.includes(key)) owns.add('ledger');
    return { ...party, owns };
  };
  return {
    authors: authors?.map(owned),
    bearer: bearer && { ...bearer.claims, party: owned(bearer.known) },
  };
}

/**
 * The proofs of a body; undefined for a request without a body. A body that has a key of its own is a proof:
 * nothing else in it was checked, and no signed record has one.
 */
function authorsOf({ body }: Call): readonly { readonly public: string }[] | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const { meta, public: key } = body as { meta?: { proofs?: unknown }; public?: unknown };
  if (typeof key === 'string') return [{ public: key }];
  return Array.isArray(meta?.proofs) ? meta.proofs : undefined;
}

interface Membership {
  readonly signer: LedgerRecord | undefined;
  readonly circles: ReadonlySet<string>;
  readonly granting: readonly Version[];
}

/** What is known of signers, by handle: their records, and the active circles that they are linked to. */
async function knownOf(
  { services, ledger }: Call,
  reader: Reader,
  handles: readonly string[],
): Promise<ReadonlyMap<string, Membership>> {
  const [signers, ...links] = await Promise.all([
    reader.records('signer', handles),
    ...handles.map((handle) => services.store.indexed(ledger.handle, 'circle-signer', handle)),
  ]);
  const named = links.map((some) => some.map(({ record }) => String(record.data['circle'])));
  const circles = await reader.records('circle', [...new Set(named.flat())]);
  const active = new Map(
    circles.flatMap((circle) =>
      circle && !isInactive(circle) ? [[circle.record.data.handle, circle] as const] : [],
    ),
  );
  return new Map(
    handles.map((handle, index) => {
      const granting = (named[index] ?? []).flatMap((circle) => active.get(circle) ?? []);
      const own = new Set(granting.map(({ record }) => record.data.handle));
      return [handle, { signer: signers[index]?.record, circles: own, granting }] as const;
    }),
  );
}

function distinctCircles(circles: readonly Version[]): Version[] {
  return [...new Map(circles.map((circle) => [circle.record.luid, circle])).values()];
}
