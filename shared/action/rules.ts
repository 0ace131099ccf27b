/** Rules of each kind: checks of its data beyond the shape, the keys of its records, and its attachment. */
import { checkPolicy } from '../access/policies.ts';
import { assertRuleMembers, membersSeenIn } from '../access/rule-members.ts';
import { isValidPublic } from '../crypto/key.ts';
import { isRsaPublic } from '../crypto/rsa.ts';
import { unitsOfRules } from '../ledger/access.ts';
import { budgetOf, type PatternMaker, paidFrom, tooExpensive, unitsFor } from '../ledger/budget.ts';
import { claimMembers } from '../ledger/claim.ts';
import { LedgerError } from '../ledger/errors.ts';
import { type Kind, withinOf } from '../ledger/kind.ts';
import { checkConditions, conditionCountOf } from '../ledger/match.ts';
import { anythingIn, assertMembers, type KnownMembers } from '../ledger/path-member.ts';
import type { LedgerRecord, RecordData, Version } from '../ledger/record.ts';
import { relationsOf } from '../ledger/relation.ts';
import { checkRule } from '../ledger/rule.ts';
import {
  coverageOf,
  policiesNamedBy,
  policyCountMaxAt,
  type RuleSource,
  ruleSourceOf,
} from '../ledger/rule-source.ts';
import type { TraitName } from '../ledger/trait.ts';
import type { Call, Services } from '../port/action.ts';
import type { KeyHolder } from '../port/ports.ts';
import type { Attached } from '../record/attachment.ts';
import { type Draft, requiresAnchors } from '../record/author.ts';
import { attachSecrets, checkSecrets } from '../record/bridge-secret.ts';
import { invalid } from '../record/invalid.ts';
import { providerOf } from '../record/provider.ts';
import { signersOf } from '../record/reader.ts';
import { attachWork, checkReport } from '../record/report-work.ts';
import { assertNoServiceName } from '../record/service-signer.ts';
import { checkWitnesses, witnessesPlace, witnessSettings } from '../record/witnesses.ts';
import type { BridgeData } from '../shape/bridge.ts';
import type { EffectData } from '../shape/effect.ts';
import type { SignedBody } from '../shape/record.ts';
import { monitorSignal, signalNames } from '../shape/signal-name.ts';
import type { WalletData } from '../shape/wallet.ts';
import { attachClient, schemaOfFactor } from './client.ts';
import { eventMembersOf } from './event-members.ts';

interface Rules {
  /** Runs before hash and proofs are checked; refuses with `record.schema-invalid`. */
  readonly shape?: (data: RecordData, meta: SignedBody['meta']) => void;
  /** Runs after the permission was granted; refuses with `record.invalid`. */
  readonly check?: (data: RecordData, services: Services) => void | Promise<void>;
  /** The keys that prove as this record. */
  readonly keysOf?: (data: RecordData) => readonly string[];
  /** Attaches data to each version. */
  readonly attach?: (call: Call, next: Version, previous?: Version) => Promise<Attached>;
}

const rules: Readonly<Partial<Record<Kind, Rules>>> = {
  ledger: { shape: checkWitnesses, check: checkLedger },
  wallet: { check: checkRoutes },
  signer: { shape: checkSigner, check: (data) => assertNoServiceName(data), keysOf: keysOfSigner },
  'signer-factor': { shape: checkFactor, keysOf: keysOfFactor, attach: attachClient },
  effect: { shape: checkMonitor, check: checkEffect },
  bridge: { shape: checkSecrets, check: checkBridge, attach: attachSecrets },
  report: { shape: checkReport, attach: attachWork },
  schema: { check: checkSchema },
  policy: { check: checkPolicy },
};

/** The check of a kind beyond its shape, for `Action.shape`. */
export function shapeOf(kind: Kind): (body: unknown) => void {
  return (body) => {
    const { data, meta } = body as SignedBody;
    rules[kind]?.shape?.(data as RecordData, meta);
  };
}

/** Checks the access rules in the data and the rules of the kind; refuses with `record.invalid`. */
export async function assertRules(kind: Kind, data: RecordData, services: Services): Promise<void> {
  const source = ruleSourceOf(kind, data);
  const paid = budgetedPatterns(services, unitsOfRules(source.place), 'the access rules');
  for (const rule of source.rules) {
    checkRule(rule, paid);
    assertRuleMembers(rule, coverageOf(rule, source));
  }
  assertFewPolicies(source);
  await rules[kind]?.check?.(data, services);
}

/** The version with its attachment; called last, since it may create a client or a secret. */
export async function withAttachment(
  call: Call,
  next: Version,
  previous?: Version,
): Promise<Attached> {
  const attach = rules[next.kind]?.attach;
  return attach ? attach(call, next, previous) : { version: next, write: {} };
}

/** Each named policy is read whenever the rules are weighed, so their number is bounded. */
function assertFewPolicies(source: RuleSource): void {
  const count = policiesNamedBy(source.rules).length;
  const max = policyCountMaxAt(source);
  if (count > max)
    throw new LedgerError(
      'record.invalid',
      `The access rules name ${count} policies, at most ${max}.`,
    );
}

/** Compiling the patterns must not cost more than weighing them may. Decision 83. */
function budgetedPatterns({ patternMaker }: Services, units: number, title: string): PatternMaker {
  return paidFrom(budgetOf(units, tooExpensive(title)), patternMaker);
}

export function keysOf(kind: Kind, data: RecordData): readonly string[] {
  return rules[kind]?.keysOf?.(data) ?? [];
}

/** The signer that the keys of a signer or factor belong to. Ruling 63. */
export function signerOf(kind: Kind, data: RecordData): string {
  return withinOf(kind, data) ?? data.handle;
}

/** True for a key that this record of the signer has, and no other one. Earlier releases did not say which has it. */
export function isHeldFor(
  { signer, luid }: KeyHolder = {},
  owner: string,
  record: LedgerRecord,
): boolean {
  return signer === owner && (luid ?? record.luid) === record.luid;
}

/** The keys without a holder, which a new record takes. A factor must not repeat a key of its signer. Decision 5. */
export function holdsOf(
  kind: Kind,
  { data, proofs }: Pick<Draft, 'data' | 'proofs'>,
  home: LedgerRecord | undefined,
  holders: ReadonlyMap<string, KeyHolder>,
): string[] {
  const keys = keysOf(kind, data);
  if (kind === 'signer-factor') assertNotHeld(keys, signerOf(kind, data), signersOf(holders));
  const holds = keys.filter((key) => !holders.has(key));
  assertOwnersAgree(holds, home, proofs);
  return holds;
}

/**
 * Refuses with `record.invalid` a key of an owner of the ledger that has not signed for the record which is to hold it:
 * who registers it for a signer of theirs ends its tokens with that signer. Decision 5.
 */
export function assertOwnersAgree(
  keys: readonly string[],
  home: LedgerRecord | undefined,
  proofs: Draft['proofs'],
): void {
  const owners = new Set(home?.meta.owners);
  const key = keys.find((one) => owners.has(one) && !proofs.some((proof) => proof.public === one));
  if (key === undefined) return;
  const detail = `The key ${key} owns the ledger, so it has to sign for the record that is to hold it.`;
  throw new LedgerError('record.invalid', detail, { key });
}

/** Refuses with `record.invalid` a key that its signer holds already. Decision 20. */
export function assertNotHeld(
  keys: readonly string[],
  signer: string,
  holders: ReadonlyMap<string, string>,
): void {
  const held = keys.find((key) => holders.get(key) === signer);
  if (held !== undefined)
    throw new LedgerError('record.invalid', `Signer ${signer} has the key ${held} already.`, {
      signer,
    });
}

function keysOfSigner(data: RecordData): readonly string[] {
  return typeof data['public'] === 'string' ? [data['public']] : [];
}

/** Key and format come together, and the key must be a valid point. Rulings 7 and 63. */
function checkSigner(data: RecordData): void {
  const publicKey = data['public'];
  if ((publicKey === undefined) !== (data['format'] === undefined)) {
    const missing = publicKey === undefined ? 'public' : 'format';
    throw invalid(
      '/data',
      'required',
      { missingProperty: missing },
      `must have required property '${missing}'`,
    );
  }
  if (typeof publicKey === 'string' && !isValidPublic(publicKey))
    throw invalid(
      '/data/public',
      'format',
      { format: 'ed25519-raw' },
      'must be a valid ed25519 public key, 32 bytes in base64',
    );
}

/** A factor of schema `key-pair` has a key; token credentials have none. Rulings 28 and 63. */
function checkFactor(data: RecordData): void {
  const schema = schemaOfFactor(data);
  const required = { missingProperty: 'schema' };
  if (schema === undefined)
    throw invalid('/data', 'required', required, "must have required property 'schema'");
  const isKeyPair = schema === 'key-pair';
  for (const member of ['public', 'format'])
    if (isKeyPair && data[member] === undefined)
      throw invalid(
        '/data',
        'required',
        { missingProperty: member },
        `must have required property '${member}'`,
      );
  for (const member of ['public', 'format', 'secret'])
    if (!isKeyPair && data[member] !== undefined)
      throw invalid(
        '/data',
        'additionalProperties',
        { additionalProperty: member },
        `must NOT have additional properties: '${member}'`,
      );
  if (data['format'] === 'ed25519-raw') checkSigner(data);
  if (data['format'] === 'rsa-2048' && !isRsaPublic(String(data['public'])))
    throw invalid(
      '/data/public',
      'format',
      { format: 'rsa-2048' },
      'must be an RSA public key of 2048 bits, its SPKI in DER and base64',
    );
}

/** An ed25519 key proves as its signer; an RSA key only signs tokens. Ruling 63. */
function keysOfFactor(data: RecordData): readonly string[] {
  return data['format'] === 'ed25519-raw' ? keysOfSigner(data) : [];
}

/** Compiling the schema refuses an invalid one. Ruling 65. */
async function checkSchema(data: RecordData, services: Services): Promise<void> {
  await services.schemaMaker(data['schema']);
}

/** A bridge has reachable endpoints, and conditions that can be weighed. Rulings 53 and 62. */
function checkBridge(data: RecordData, services: Services): void {
  const { config, secure = [], traits = [] } = data as unknown as BridgeData;
  const paid = budgetedPatterns(services, unitsFor.effect, 'the traits');
  services.assertEndpoint(config.server, '/data/config/server');
  for (const [index, rule] of secure.entries())
    if (rule.schema === 'oauth2')
      services.assertEndpoint(rule.tokenUrl, `/data/secure/${index}/tokenUrl`);
  for (const trait of traits)
    if (typeof trait === 'object' && trait.filter)
      checkFilter(trait.filter, paid, subjectOfTrait[trait.method]);
}

/** The subject of conditions: its members, and how a refusal calls it. */
type FilterSubject = readonly [known: KnownMembers, name: string];

const claimSubject: FilterSubject = [anythingIn(claimMembers), 'a claim'];

/** The subjects of the conditions of traits. There are no calls about anchors and domains. Ruling 53. */
const subjectOfTrait: Readonly<Partial<Record<TraitName, FilterSubject>>> = {
  debits: claimSubject,
  credits: claimSubject,
  statuses: [membersSeenIn('intent'), 'an intent'],
  effects: [
    anythingIn([...new Set(signalNames.flatMap((name) => Object.keys(eventMembersOf(name))))]),
    'an event',
  ],
};

/** Conditions can be weighed, and lead to members of their subject. */
function checkFilter(
  filter: Readonly<Record<string, unknown>>,
  paid: PatternMaker,
  subject: FilterSubject | undefined,
): void {
  checkConditions(filter, paid);
  if (subject) assertMembers(filter, ...subject);
}

/** Wallets that pay for another one by its debit routes; each takes a place in the commit. Decision 51. */
const payingWalletCountMax = 5;
/** Conditions in all routes of a wallet; they are weighed while a caller waits for a transfer. */
const routeConditionCountMax = 200;

/** Routes have conditions that can be weighed, and draw on few wallets. Ruling 43. */
function checkRoutes(data: RecordData, services: Services): void {
  const { routes = [] } = data as unknown as WalletData;
  const paid = budgetedPatterns(services, unitsFor.routes, 'the routes');
  for (const { filter = {} } of routes) checkFilter(filter, paid, claimSubject);
  const counts = routes.map(({ filter = {} }) => conditionCountOf(filter));
  if (counts.reduce((sum, count) => sum + count, 0) > routeConditionCountMax)
    throw new LedgerError(
      'record.invalid',
      `The routes of a wallet have at most ${routeConditionCountMax} conditions.`,
    );
  const drawn = relationsOf('wallet', data).filter(({ kind }) => kind === 'wallet');
  if (drawn.length > payingWalletCountMax)
    throw new LedgerError(
      'record.invalid',
      `The debit routes of a wallet lead to at most ${payingWalletCountMax} others.`,
    );
}

/** The balance to watch belongs to the signal of monitors alone. Ruling 95. */
function checkMonitor(data: RecordData): void {
  const isMonitor = data['signal'] === monitorSignal;
  if (isMonitor === (data['balance'] !== undefined)) return;
  const member = 'balance';
  throw isMonitor
    ? invalid(
        '/data',
        'required',
        { missingProperty: member },
        `must have required property '${member}'`,
      )
    : invalid(
        '/data',
        'additionalProperties',
        { additionalProperty: member },
        `must NOT have additional properties of the signal ${monitorSignal}`,
      );
}

/** The witnesses of a log have permitted addresses. Rulings 62 and 100. */
function checkLedger(data: RecordData, services: Services): void {
  for (const [index, { url }] of witnessSettings(data).entries())
    services.assertEndpoint(url, `${witnessesPlace}/${index}/url`);
}

/** An effect has a permitted endpoint, and a filter that can be weighed. Rulings 59, 62. */
function checkEffect(data: RecordData, services: Services): void {
  const { action, filter, signal } = data as unknown as EffectData;
  if (action.schema === 'webhook')
    services.assertEndpoint(action.endpoint, '/data/action/endpoint');
  const paid = budgetedPatterns(services, unitsFor.effect, 'the filter');
  if (filter) checkFilter(filter, paid, [eventMembersOf(signal), `the event ${signal}`]);
}

/** A ledger may require a wallet for each anchor, and names its provider. Ruling 64, Decision 34. */
export function assertConfigured(
  kind: Kind,
  data: RecordData,
  ledger: LedgerRecord | undefined,
  before?: RecordData,
): void {
  // A signer that has the name already stays free to change its key.
  if (kind === 'signer' && data.handle !== before?.handle)
    assertNoServiceName(data, providerOf(ledger));
  if (kind === 'anchor' && data['wallet'] === undefined && requiresAnchors(ledger))
    throw invalid(
      '/data',
      'required',
      { missingProperty: 'wallet' },
      "must have required property 'wallet'",
    );
}
