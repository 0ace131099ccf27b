/** Access explained: a question to the ledger with its answer, and all rules as far as they may be read. */
import { useState } from 'preact/hooks';
import { inactive } from '../../../shared/ledger/vouching.ts';
import { Rules } from './circles.tsx';
import { Loaded, Problem, problemOf, useReading } from './loading.tsx';
import { Copied, Fields, Head, To } from './parts.tsx';
import { placeOf } from './places.ts';
import {
  type LedgerSession,
  type Newest,
  type ReadQuery,
  type ShownRecord,
  useSession,
} from './session.ts';
import { lineOf } from './text.ts';
import {
  conditionsOf,
  grantOf,
  type Members,
  membersOf,
  namesOf,
  rulesIn,
  toWhom,
  whyNot,
} from './whom.ts';

const actions = [
  ...['read', 'query', 'create', 'update', 'drop', 'spend', 'issue', 'destroy', 'limit', 'commit'],
  ...['abort', 'activate', 'retry-event', 'access', 'lookup', 'assign-signer', 'remove-signer'],
  'manage',
];
/** The kinds that a question can be about, with their groups. */
const kinds: Readonly<Record<string, string>> = {
  ...{ wallet: 'wallets', symbol: 'symbols', intent: 'intents', signer: 'signers' },
  ...{ bridge: 'bridges', effect: 'effects', circle: 'circles', policy: 'policies' },
  ...{ schema: 'schemas', domain: 'domains', anchor: 'anchors', report: 'reports' },
};
const sourceCountMax = 100;
const none: Newest = { rows: [], isPartial: false };

/** A record with rules. */
interface RulePlace {
  readonly group: string;
  readonly handle: string;
  /** To whom a rule without matchers grants something. */
  readonly everybody: string;
  readonly rules: readonly Members[];
  /** True for an inactive circle or policy: its rules grant nothing. */
  readonly isIdle: boolean;
}

interface AccessFacts {
  /** Undefined where the ledger may not be read. */
  readonly owners: readonly string[] | undefined;
  /** Undefined where the ledger may not be read. */
  readonly strategy: string | undefined;
  readonly places: readonly RulePlace[];
  /** The places whose rules may not be read, with the reason. */
  readonly hidden: readonly string[];
}

export function AccessScreen() {
  const session = useSession();
  const reading = useReading('access', () => readAccess(session));
  return (
    <>
      <Head title="Access" />
      <Loaded reading={reading}>
        {(facts) => (
          <>
            <Question facts={facts} />
            <section aria-labelledby="owners">
              <h2 id="owners">Owners</h2>
              <Fields
                rows={[
                  ['Your key', session.own === undefined ? 'none' : <OwnKey key="own" />],
                  ['Rules count', facts.strategy ?? notShown],
                  ['Owners of the ledger', <LedgerOwners key="owners" of={facts.owners} />],
                ]}
              />
            </section>
            {facts.places.map((place) => (
              <section key={`${place.group} ${place.handle}`} class="card">
                <h2>
                  {place.group === 'ledger' ? (
                    `Rules of the ledger ${place.handle}`
                  ) : (
                    <PlaceTitle place={place} />
                  )}
                </h2>
                {isOpen(facts) ? (
                  <p>
                    <strong>The ledger is open.</strong> No rule has been laid down: everybody may
                    do everything, until the first one is.
                  </p>
                ) : (
                  <>
                    {place.isIdle && <p class="quiet">It is inactive: its rules grant nothing.</p>}
                    <Rules rules={place.rules} everybody={place.everybody} />
                  </>
                )}
              </section>
            ))}
            {facts.hidden.map((text) => (
              <p key={text} class="quiet">
                {text}
              </p>
            ))}
          </>
        )}
      </Loaded>
    </>
  );
}

/** In place of what the record of the ledger says. */
const notShown = 'not shown: you may not read the ledger';

function LedgerOwners({ of }: { readonly of: AccessFacts['owners'] }) {
  if (of === undefined) return <>{notShown}</>;
  if (of.length === 0) return <>none</>;
  return of.map((owner) => <Copied key={owner} text={owner} />);
}

function OwnKey() {
  const session = useSession();
  const reading = useReading('own signer', async () => ({ handle: await session.ownSigner() }));
  return (
    <>
      <Copied text={session.own ?? ''} />
      <Loaded reading={reading}>
        {({ handle }) => (
          <> {handle === undefined ? 'no signer that you may see' : lineOf(handle)}</>
        )}
      </Loaded>
    </>
  );
}

function PlaceTitle({ place: { group, handle } }: { readonly place: RulePlace }) {
  return (
    <>
      Rules of {placeNames[group] ?? group} <To path={placeOf(group, handle)}>{handle}</To>
    </>
  );
}

async function readAccess(session: LedgerSession): Promise<AccessFacts> {
  const hidden: string[] = [];
  const unlessHidden = async <Found,>(name: string, work: Promise<Found>, otherwise: Found) =>
    work.catch((error: unknown) => {
      hidden.push(`The rules of ${name} are not shown. ${problemOf(error)}`);
      return otherwise;
    });
  const newest = (name: string, path: string, query: ReadQuery = {}) =>
    unlessHidden(name, session.newest(path, sourceCountMax, query), none).then(
      ({ rows, isPartial }) => {
        if (isPartial) hidden.push(`Of the ${name}, the newest ${sourceCountMax} are shown.`);
        return rows;
      },
    );
  const [ledger, circles, domains, policies] = await Promise.all([
    unlessHidden(
      'the ledger',
      session.read('/ledger').then(({ answer }) => answer),
      undefined,
    ),
    newest('circles', '/circles'),
    newest('domains', '/domains'),
    newest('access policies', '/policies', { 'data.schema': 'access' }),
  ]);
  const strategy = membersOf(ledger?.data['config'])['access.strategy'];
  const owners = ledger?.meta['owners'];
  const isOfPolicies = strategy === 'policy-based';
  return {
    owners: ledger && (Array.isArray(owners) ? owners.map(lineOf) : []),
    strategy:
      ledger &&
      (isOfPolicies
        ? 'only of active access policies'
        : 'of the ledger, circles, domains, records and policies'),
    places: [
      ...(ledger ? [rulePlace('ledger', ledger)] : []),
      ...circles.map((one) => rulePlace('circles', one)),
      ...domains.map((one) => rulePlace('domains', one)),
      ...policies.map((one) => rulePlace('policies', one)),
    ].filter(({ group, rules }) => group === 'ledger' || rules.length > 0),
    hidden,
  };
}

function rulePlace(group: string, { data, meta }: ShownRecord): RulePlace {
  const mayBeIdle = group === 'circles' || group === 'policies';
  return {
    group,
    handle: lineOf(data['handle']),
    everybody: group === 'circles' ? 'its members' : 'everybody',
    rules: rulesIn(group === 'policies' ? data['values'] : data['access']),
    isIdle: mayBeIdle && meta['status'] === inactive,
  };
}

interface Asked {
  readonly action: string;
  readonly kind: string;
  readonly handle: string;
}

interface Answered extends Asked {
  readonly grants: readonly ShownRecord[];
  /** The rules that do not grant it, each with what is missing of it. */
  readonly others: readonly ShownRecord[];
}

/** Asks the ledger whether the key of this session may do something. Ruling 35. */
async function ask(session: LedgerSession, { action, kind, handle }: Asked): Promise<Answered> {
  const path =
    handle === ''
      ? '/ledger/access/!check'
      : `/${kinds[kind]}/${encodeURIComponent(handle)}/access/!check`;
  const answer = await session.post(path, { action, record: kind, explain: true });
  const { data: rules } = answer as { readonly data: readonly ShownRecord[] };
  const isGrant = ({ data }: ShownRecord) => data['missing'] === undefined;
  return {
    ...{ action, kind, handle },
    grants: rules.filter(isGrant),
    others: rules.filter((rule) => !isGrant(rule)),
  };
}

function Question({ facts }: { readonly facts: AccessFacts }) {
  const session = useSession();
  const [answered, setAnswered] = useState<Answered>();
  const [error, setError] = useState<unknown>();
  if (session.own === undefined)
    return <p class="empty">Sign in with a key to ask what it may do.</p>;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget as HTMLFormElement);
    const text = (name: string) => String(given.get(name) ?? '').trim();
    setError(undefined);
    setAnswered(undefined);
    ask(session, { action: text('action'), kind: text('kind'), handle: text('handle') }).then(
      setAnswered,
      setError,
    );
  };
  return (
    <section class="card" aria-labelledby="question">
      <h2 id="question">May I …?</h2>
      <form class="filters" onSubmit={submit}>
        <label>
          Action
          <select name="action">
            {actions.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
        <label>
          Kind
          <select name="kind">
            {Object.keys(kinds).map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
        <label>
          Handle
          <input name="handle" placeholder="any" autocomplete="off" spellcheck={false} />
        </label>
        <button type="submit">Ask</button>
      </form>
      {error !== undefined && <Problem error={error} />}
      {answered && <Answer answered={answered} facts={facts} />}
    </section>
  );
}

/** The answer of the ledger, and why the other rules do not grant it. */
function Answer({ answered, facts }: { readonly answered: Answered; readonly facts: AccessFacts }) {
  const { action, kind, handle, grants, others } = answered;
  const what = `${action} ${kind}${handle === '' ? '' : ` ${handle}`}`;
  if (grants.length > 0)
    return (
      <div role="status">
        <p>
          <strong>Yes.</strong> Your key may {what}. What grants it:
        </p>
        <ul class="rules">
          {grants.map(({ hash, data }) => (
            <li key={hash}>
              <strong>{grantOf(data)}</strong> {conditionsOf(data)}
            </li>
          ))}
        </ul>
      </div>
    );
  if (isOpen(facts))
    return (
      <p role="status">
        <strong>Yes.</strong> The ledger has neither rules nor owners: it is open, and everybody
        may.
      </p>
    );
  const beside = placesBeside(answered, facts);
  const isNone = others.length === 0 && beside.length === 0;
  return (
    <div role="status">
      <p>
        <strong>No.</strong> No rule lets your key {what}.{' '}
        {isNone ? 'No rule that you may read grants it to anybody but owners.' : 'Why not:'}
      </p>
      <ul class="rules">
        {others.map(({ hash, data }) => (
          <li key={hash}>
            <span class="quiet">{sourceOf(data)}:</span> <strong>{grantOf(data)}</strong> for{' '}
            {toWhom(data, everybodyAt(data))} {conditionsOf(data)}
            <br />
            <span class="why">✗ {whyNot(data)}</span>
          </li>
        ))}
      </ul>
      {beside.map(({ group, handle: name, rules, everybody }) => (
        <div key={`${group} ${name}`}>
          <p class="quiet">
            The {placeNames[group]} {name} does not count here: {outsideReasons[group]}
          </p>
          <Rules rules={rules} everybody={everybody} />
        </div>
      ))}
    </div>
  );
}

/** True for a ledger that asks no rule. One that once had rules would not let its record be read. Ruling 31. */
function isOpen({ owners, places, hidden }: AccessFacts): boolean {
  const isUnruled = places.every(({ rules }) => rules.length === 0);
  return owners?.length === 0 && hidden.length === 0 && isUnruled;
}

/** The places of rules, by group, as access checks name them. */
const placeNames: Readonly<Record<string, string>> = {
  ...{ ledger: 'ledger', circles: 'circle', domains: 'domain', policies: 'policy' },
};

/** Why the rules of a place were not even weighed. */
const outsideReasons: Readonly<Record<string, string>> = {
  ledger: 'only access policies do.',
  circles: 'your signer is no member of it, or it is inactive.',
  domains: 'the record is not in it.',
  policies: 'no rule that counts names it.',
};

/** The places with rules about the question that the ledger did not weigh for it. */
function placesBeside({ action, kind, others }: Answered, { places }: AccessFacts): RulePlace[] {
  const weighed = others.map(({ data }) => {
    const { place, handle } = membersOf(data['source']);
    return `${lineOf(place)} ${lineOf(handle)}`;
  });
  return places
    .filter(({ group, handle }) => !weighed.includes(`${placeNames[group]} ${handle}`))
    .map((place) => ({ ...place, rules: place.rules.filter((one) => covers(one, action, kind)) }))
    .filter(({ rules }) => rules.length > 0);
}

function sourceOf({ source }: Members): string {
  const { place, handle } = membersOf(source);
  if (place === 'server') return 'Everywhere';
  if (place === 'record') return `The record ${lineOf(handle)}`;
  return `${lineOf(place)} ${lineOf(handle)}`;
}

function everybodyAt({ source }: Members): string {
  return membersOf(source)['place'] === 'circle' ? 'its members' : 'everybody';
}

function covers(rule: Members, action: string, kind: string): boolean {
  const has = (names: readonly string[], wanted: string) =>
    names.includes(wanted) || names.includes('any');
  return has(namesOf(rule['action']), action) && has(namesOf(rule['record']), kind);
}
