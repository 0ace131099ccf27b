/**
 * The callers of a request: the keys that signed its body and its token, with the current records of their signers.
 * Rulings 26, 32 and 36.
 */
import type { Caller } from '../ledger/access.ts';
import { isOwnedBy } from '../ledger/handover.ts';
import type { Principal } from '../ledger/matcher.ts';
import type { LedgerRecord, Version } from '../ledger/record.ts';
import type { VerifiedBearer } from '../ledger/rule.ts';
import type { Call } from '../port/action.ts';
import type { Bearer as Sender } from '../port/bearer.ts';
import type { KeyHolder } from '../port/ports.ts';
import { publicsOf } from '../record/author.ts';
import { isInactive } from '../record/inactive.ts';
import { providerOf } from '../record/provider.ts';
import { type Reader, readerFor, signersOf } from '../record/reader.ts';
import { endedAmong } from './ended.ts';

/** The callers, independent of the record that a query is about. */
export interface Callers {
  readonly authors?: readonly KnownPrincipal[] | undefined;
  readonly bearer?:
    | { readonly claims: Omit<VerifiedBearer, 'principal'>; readonly known: KnownPrincipal }
    | undefined;
  /** The active circles with any of the callers as a member. */
  readonly circles: readonly Version[];
}

/** A principal without its relation to the record of a query. */
interface KnownPrincipal extends Omit<Principal, 'owns'> {
  /** The signer of its key, and the keys that it owns by. */
  readonly holder?: KeyHolder | undefined;
  /** The inactive record of its key: that of the signer, or of the factor. It does not own that one. Decision 33. */
  readonly ended?: LedgerRecord | undefined;
}

/** All proofs use one key format. Ruling 7. */
const format = 'ed25519-raw';

/** Reads the signers of the keys, and their circles. */
export async function callersOf(call: Call, home?: LedgerRecord): Promise<Callers> {
  const reader = readerFor(call);
  const bearer = isForged(call.bearer, home) ? undefined : call.bearer;
  const authors = authorsOf(call);
  const publics = publicsOf([
    ...(authors ?? []),
    ...(bearer?.public === undefined ? [] : [{ public: bearer.public }]),
  ]);
  const holders = await reader.holders(publics);
  const signers = signersOf(holders);
  const handles = new Set([...signers.values(), ...(bearer?.signer ? [bearer.signer] : [])]);
  const known = await knownOf(call, reader, [...handles]);
  const ended = await endedAmong(call, holders, known);
  const principalOf = (key: string | undefined, handle: string | undefined): KnownPrincipal => {
    const { signer, circles = new Set<string>() } = known.get(handle ?? '') ?? {};
    // Ownership follows the key that signed; the record of a signer may show a key that another signer holds.
    const own = { public: key, format: key && format, holder: holders.get(key ?? '') };
    const end = ended.get(key ?? '');
    if (end) return { ...own, circles: new Set(), ended: end };
    const data: Partial<LedgerRecord['data']> = signer?.record.data ?? {};
    const { schema, custom } = data;
    return { ...own, handle, schema, custom, circles };
  };
  return {
    authors: authors?.map(({ public: key }) => principalOf(key, signers.get(key))),
    bearer: bearer && {
      claims: { ...bearer.claims, hsh: bearer.hsh, isSubject: isSubject(bearer) },
      known: principalOf(bearer.public, bearer.signer),
    },
    circles: distinctCircles([...known.values()].flatMap((one) => one.granting)),
  };
}

/**
 * True when a signer's token claims to be issued by the provider of this ledger. The addressed ledger refuses such a
 * token; another ledger, whose record is in question, ignores it. Decisions 40 and 45.
 */
function isForged(bearer: Sender | undefined, home: LedgerRecord | undefined): boolean {
  return bearer?.kind === 'signer' && bearer.claims.iss === providerOf(home);
}

/** True when the subject of a token is certain: stated by the provider, or by the signer about itself. Decision 45. */
function isSubject({ kind, claims, signer, public: key }: Sender): boolean {
  return kind === 'provider' || [signer, key].includes(claims.sub);
}

/** The callers in relation to a record: which of them own it, or the ledger. */
export function callerOf(
  { authors, bearer }: Callers,
  record: LedgerRecord | undefined,
  ledger: LedgerRecord | undefined,
): Caller {
  const owned = ({ holder, ended, ...principal }: KnownPrincipal): Principal => {
    const { public: key = '' } = principal;
    return { ...principal, owns: ownedBy({ key, holder, ended }, record, ledger) };
  };
  return {
    authors: authors?.map(owned),
    bearer: bearer && { ...bearer.claims, principal: owned(bearer.known) },
  };
}

/** The things that a key owns: the record, the ledger, both or none. Ruling 13, Decisions 33 and 157. */
export function ownedBy(
  { key, holder, ended }: Pick<KnownPrincipal, 'holder' | 'ended'> & { readonly key: string },
  record: LedgerRecord | undefined,
  ledger: LedgerRecord | undefined,
): ReadonlySet<'record' | 'ledger'> {
  const owns = new Set<'record' | 'ledger'>();
  // Whoever is set inactive does not set itself active again.
  if (record && record.luid !== ended?.luid && isOwnedBy(record.meta.owners, key, holder))
    owns.add('record');
  if (ledger && isOwnedBy(ledger.meta.owners, key, holder)) owns.add('ledger');
  return owns;
}

/**
 * The proofs of a body; undefined without a body. A body with a `public` key is a single proof: its signature is the
 * only part that was checked, and no signed record has such a member.
 */
function authorsOf({ body }: Call): readonly { readonly public: string }[] | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const { meta, public: key } = body as { meta?: { proofs?: unknown }; public?: unknown };
  if (typeof key === 'string') return [{ public: key }];
  return Array.isArray(meta?.proofs) ? meta.proofs : undefined;
}

interface Membership {
  readonly signer: Version | undefined;
  readonly circles: ReadonlySet<string>;
  readonly granting: readonly Version[];
}

/** Reads the records and the active circles of signers, by handle. */
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
  const circles = await reader.recent('circle', [...new Set(named.flat())]);
  const active = new Map(
    circles.flatMap((circle) =>
      circle && !isInactive(circle) ? [[circle.record.data.handle, circle] as const] : [],
    ),
  );
  return new Map(
    handles.map((handle, index) => {
      const granting = (named[index] ?? []).flatMap((circle) => active.get(circle) ?? []);
      const own = new Set(granting.map(({ record }) => record.data.handle));
      return [handle, { signer: signers[index], circles: own, granting }] as const;
    }),
  );
}

function distinctCircles(circles: readonly Version[]): Version[] {
  return [...new Map(circles.map((circle) => [circle.record.luid, circle])).values()];
}
