/**
 * Approvals that intents wait for: the quorums of the policies about an intent, and which of their matchers its proofs meet,
 * by the functions by which the ledger decides. The ledger's word is final; this says what is missing. Rulings 66 and 93.
 */
import { LedgerRefused } from '../../../shared/client/errors.ts';
import type { PatternMaker } from '../../../shared/ledger/budget.ts';
import {
  type IntentStatus,
  isOfAuthor,
  isSeenByOthers,
  namesKeys,
  type Vote,
  votesFor,
} from '../../../shared/ledger/four-eyes.ts';
import { isOwnedBy } from '../../../shared/ledger/handover.ts';
import { resolvedIn } from '../../../shared/ledger/intent.ts';
import { intentSubjectOf } from '../../../shared/ledger/intent-subject.ts';
import { circlesOf, parseMatcher, type SignerMatcher } from '../../../shared/ledger/matcher.ts';
import {
  appliesTo,
  type StatusValue,
  valuesForStatus,
  valuesOf,
} from '../../../shared/ledger/policy.ts';
import type { LedgerRecord } from '../../../shared/ledger/record.ts';
import { drawing, type RoutedWallet } from '../../../shared/ledger/routing.ts';
import { inactive } from '../../../shared/ledger/vouching.ts';
import type { IntentData } from '../../../shared/shape/intent.ts';
import type { Proof } from '../../../shared/shape/proof.ts';
import { claimsIn } from './claims.tsx';
import type { LedgerSession, ShownRecord } from './session.ts';
import { handleIn, lineOf } from './text.ts';
import { membersOf, whomOf } from './whom.ts';

/** A matcher of a quorum, and who met it. */
export interface SeenMatcher {
  readonly whom: string;
  readonly by?: string;
  /** True where the key of this session would meet it. */
  readonly isOwn: boolean;
}

/** A policy about an intent, for one status. */
export interface SeenPolicy {
  readonly policy: string;
  readonly status: string;
  /** Alternatives, of which one is enough. */
  readonly quorums: readonly (readonly SeenMatcher[])[];
  readonly isMet: boolean;
}

const rowCountMax = 1000;
/** The statuses whose quorum an intent needs in its state. */
const statusesAhead: Readonly<Record<string, readonly IntentStatus[]>> = {
  pending: ['prepared', 'committed'],
  prepared: ['committed', 'aborted'],
};

/** The ledger's policies about intents and what judging them takes. */
export interface Eyes {
  readonly policies: readonly ShownRecord[];
  readonly domains: ReadonlyMap<string, string>;
  readonly owners: readonly unknown[];
  readonly members: ReadonlyMap<string, ReadonlySet<string>>;
}

/** A regular expression of a policy is not run in the browser of whoever looks. */
const patternMaker: PatternMaker = () => {
  throw new Error('It has a regular expression, which only the ledger judges.');
};

/** Reads the policies about intents. Errors: those of the client. */
export async function readEyes(session: LedgerSession): Promise<Eyes> {
  const about = { 'data.schema': 'status', 'data.record': 'intent' };
  const policies = await session.all('/policies', rowCountMax, about);
  const domains = policies.some(({ meta }) => meta['domain'] !== undefined)
    ? await session.all('/domains', rowCountMax)
    : [];
  const matchers = policies.flatMap(({ data }) =>
    valuesOf<StatusValue>([{ data, meta: {} } as unknown as LedgerRecord], 'status').flatMap(
      ({ quorum = [] }) => quorum,
    ),
  );
  const members = await Promise.all(
    circlesOf(matchers).map(
      async (circle) => [circle, await membersOfCircle(session, circle)] as const,
    ),
  );
  const ledger = await session.read('/ledger').catch(() => undefined);
  const owners = ledger?.answer.meta['owners'];
  return {
    policies,
    domains: new Map(domains.map(({ data }) => [lineOf(data['handle']), lineOf(data['domain'])])),
    owners: Array.isArray(owners) ? owners : [],
    members: new Map(members),
  };
}

/** The members whose votes count: of an inactive circle, and of one that may not be read, none. Ruling 36. */
async function membersOfCircle(
  session: LedgerSession,
  circle: string,
): Promise<ReadonlySet<string>> {
  const path = `/circles/${encodeURIComponent(circle)}`;
  const rows = await Promise.all([
    session.all(`${path}/signers`, rowCountMax),
    session.read(path),
  ]).then(
    ([links, { answer }]) => (answer.meta['status'] === inactive ? [] : links),
    (error: unknown) => {
      if (error instanceof LedgerRefused) return [];
      throw error;
    },
  );
  return new Set(rows.map(({ data }) => handleIn(data['signer'])));
}

/** The policies about an intent, with what is missing. Throws in words where the browser cannot judge one. */
export async function seenBy(
  session: LedgerSession,
  eyes: Eyes,
  intent: ShownRecord,
): Promise<readonly SeenPolicy[]> {
  const state = lineOf(intent.meta['status']);
  const isManual = membersOf(intent.data['config'])['commit'] === 'manual';
  const statuses: readonly IntentStatus[] =
    state === 'pending' && isManual ? ['prepared'] : (statusesAhead[state] ?? []);
  const record = intent as unknown as LedgerRecord;
  const wallets = await walletsOf(session, intent);
  const behind = await drawnBy(session, record, wallets);
  const subjects = [[], behind].map((more) =>
    intentSubjectOf(record, (handle) => wallets.get(handle), more),
  );
  const places = [intent, ...wallets.values(), ...behind].map(({ meta }) => lineOf(meta['domain']));
  const names = await namesOf(session, intent);
  const looking = { eyes, record, names, facts: await factsOf(session, names), own: session.own };
  return eyes.policies
    .filter(({ meta }) => reaches(eyes, lineOf(meta['domain']), places))
    .filter((policy) =>
      subjects.some((one) => appliesTo(policy as unknown as LedgerRecord, patternMaker, one)),
    )
    .flatMap((policy) => statuses.flatMap((status) => seenPolicy(looking, policy, status)));
}

interface Looking {
  readonly eyes: Eyes;
  readonly record: LedgerRecord;
  /** The handle of the signer of each key, as the ledger has signed it. */
  readonly names: ReadonlyMap<string, string>;
  /** The records of the signers in question, as far as they may be read. */
  readonly facts: ReadonlyMap<string, ShownRecord>;
  /** The key of whoever looks. */
  readonly own: string | undefined;
}

function seenPolicy(
  looking: Looking,
  policy: ShownRecord,
  status: IntentStatus,
): readonly SeenPolicy[] {
  const { eyes } = looking;
  const own = looking.own === undefined ? undefined : principalOf(looking, looking.own);
  const named = [policy.data['extend'] ?? []].flat().map(lineOf);
  const whole = [
    policy,
    ...eyes.policies.filter(({ data }) => named.includes(lineOf(data['handle']))),
  ];
  const values = valuesOf<StatusValue>(whole as unknown as LedgerRecord[], 'status');
  const quorums = valuesForStatus(values, status).map(({ quorum = [] }) => quorum);
  if (quorums.length === 0 || quorums.some((quorum) => quorum.length === 0)) return [];
  const votes = votesFor(status, looking.record.meta, (proof) =>
    principalOf(looking, proof.public),
  );
  return [
    {
      policy: lineOf(policy.data['handle']),
      status,
      quorums: quorums.map((quorum) => matchersOf(quorum, votes, own)),
      isMet: quorums.some((quorum) =>
        isSeenByOthers(
          quorum.map((matcher) => ({
            isMeant: parseMatcher(matcher, patternMaker),
            namesKeys: namesKeys(matcher),
          })),
          votes,
        ),
      ),
    },
  ];
}

/** Each matcher with the first voter who meets it and meets none before. */
function matchersOf(
  quorum: readonly SignerMatcher[],
  votes: readonly Vote[],
  own: Vote['principal'] | undefined,
): readonly SeenMatcher[] {
  const left = new Map(
    votes.filter(({ agrees }) => agrees).map((vote) => [voterOf(vote.principal), vote]),
  );
  return quorum.map((matcher) => {
    const isMeant = parseMatcher(matcher, patternMaker);
    const [name] = [...left].find(([, vote]) => isMeant(vote.principal)) ?? [];
    if (name !== undefined) left.delete(name);
    return {
      whom: whomOf(matcher),
      ...(name !== undefined && { by: name }),
      isOwn: own !== undefined && isMeant(own),
    };
  });
}

function voterOf({ handle, public: key }: Vote['principal']): string {
  return handle ?? `key ${key}`;
}

function principalOf(
  { eyes: { members, owners }, record, names, facts }: Looking,
  key: string,
): Vote['principal'] {
  const signer = names.get(key);
  const { data, meta } = facts.get(signer ?? '') ?? {};
  const isEnded = meta?.['status'] === inactive;
  const circles = [...members].filter(
    ([, of]) => signer !== undefined && !isEnded && of.has(signer),
  );
  const { format, schema, custom, public: newest } = data ?? {};
  const former = newest === key ? meta?.['predecessors'] : undefined;
  const predecessors = Array.isArray(former) ? (former as readonly string[]) : [];
  const owns = [
    ...(isOwnedBy(record.meta.owners, key, { predecessors }) ? ['record' as const] : []),
    ...(isOwnedBy(owners.map(lineOf), key, { predecessors }) ? ['ledger' as const] : []),
  ];
  return {
    ...{ public: key, format },
    // The key of an inactive signer is nobody's. Decision 33.
    ...(isEnded ? {} : { handle: signer, schema, custom }),
    circles: new Set(circles.map(([circle]) => circle)),
    owns: new Set(owns),
  };
}

/** The names of those who signed an intent, and of whoever looks. The names that proofs come with are not signed. */
async function namesOf(session: LedgerSession, { meta }: ShownRecord): Promise<Looking['names']> {
  const proofs = Array.isArray(meta['proofs']) ? (meta['proofs'] as readonly Proof[]) : [];
  const authors = proofs.filter(isOfAuthor).map((proof) => proof.public);
  const keys = [...authors, session.own].filter((one) => one !== undefined);
  const found = await Promise.all(
    [...new Set(keys)].map(async (key) => {
      const handle = await session.signerOf(key);
      return handle === undefined ? [] : ([[key, handle]] as const);
    }),
  );
  return new Map(found.flat());
}

/** The records of these signers. */
async function factsOf(session: LedgerSession, names: Looking['names']): Promise<Looking['facts']> {
  const found = await Promise.all(
    [...new Set(names.values())].map(async (handle) => {
      const read = await session
        .read(`/signers/${encodeURIComponent(handle)}`)
        .catch(() => undefined);
      return read?.verdict.isProven ? ([[handle, read.answer]] as const) : [];
    }),
  );
  return new Map(found.flat());
}

async function walletsOf(
  session: LedgerSession,
  intent: ShownRecord,
): Promise<ReadonlyMap<string, LedgerRecord>> {
  const names = claimsIn(intent).flatMap(({ source, target, wallet }) =>
    [source, target, wallet].filter((one) => one !== undefined).map(handleIn),
  );
  const found = await Promise.all(
    [...new Set(names)].map(async (handle) => {
      const wallet = await walletAt(session, handle);
      return wallet ? ([[handle, wallet]] as const) : [];
    }),
  );
  return new Map(found.flat());
}

async function walletAt(session: LedgerSession, handle: string): Promise<LedgerRecord | undefined> {
  const path = `/wallets/${encodeURIComponent(handle)}`;
  const read = await session.read(path).catch(() => undefined);
  return read?.answer as unknown as LedgerRecord | undefined;
}

/** The wallets to which the routes of debits lead, and those that pay, as far as they may be read. */
async function drawnBy(
  session: LedgerSession,
  record: LedgerRecord,
  named: ReadonlyMap<string, LedgerRecord>,
): Promise<readonly LedgerRecord[]> {
  const read = new Map<string, LedgerRecord | undefined>(named);
  const readAll = async (handles: readonly string[]) => {
    for (const one of handles) if (!read.has(one)) read.set(one, await walletAt(session, one));
  };
  const follow = () =>
    drawing(
      record.data as unknown as IntentData,
      new Map([...read].map(([handle, one]) => [handle, one?.data as RoutedWallet | undefined])),
      patternMaker,
    );
  let drawn = follow();
  while (drawn.is === 'needed') {
    await readAll(drawn.wallets);
    drawn = follow();
  }
  const paying = resolvedIn(record).flatMap((one) => (one.schema === 'debit' ? one.wallet : []));
  await readAll(paying);
  return [...new Set([...drawn.wallets, ...paying])].flatMap((handle) => read.get(handle) ?? []);
}

/** True when a policy of a domain is about what lies in one of these places: there, or below it. */
function reaches({ domains }: Eyes, domain: string, places: readonly string[]): boolean {
  if (domain === '') return true;
  return places.some((place) => {
    for (let at = place, left = 20; at !== '' && left > 0; at = domains.get(at) ?? '', left -= 1)
      if (at === domain) return true;
    return false;
  });
}
