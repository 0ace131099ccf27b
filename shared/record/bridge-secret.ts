/**
 * Secrets that the ledger sends to a bridge. The signed data refers to them by name; their values come beside it in
 * `meta.secret`. They are wrapped, stored in the commit of the bridge, and read only to call it. No answer,
 * history, event, log or error contains them. Ruling 53, Decision 22.
 */
import { contextOfSecret } from '../crypto/secret.ts';
import { secretNamesIn, withSecrets } from '../ledger/placeholder.ts';
import type { RecordData, Version } from '../ledger/record.ts';
import { reservedHeaders } from '../ledger/reserved-headers.ts';
import { missing, type ShapeViolation } from '../ledger/violation.ts';
import type { Call, Services } from '../port/action.ts';
import type { Scope, WrappedSecrets } from '../port/ports.ts';
import type { BridgeData, SecurityRule } from '../shape/bridge.ts';
import type { SignedBody } from '../shape/record.ts';
import type { Attached } from './attachment.ts';
import { assertNone, violation } from './invalid.ts';

type Secrets = NonNullable<SignedBody['meta']['secret']>;

const place = '/meta/secret';
const nameCountMax = 32;
const name = /^[\w-]{1,64}$/;
/** KMS wraps at most 4096 bytes at once. */
const valueLengthMax = 4096;
const printable = /^[\x20-\x7e]*$/;

/**
 * Refuses with `record.schema-invalid` headers that the ledger sets by itself or that are there twice, values whose names
 * the data does not use, values that HTTP cannot carry, and on creation a missing value.
 */
export function checkSecrets(data: RecordData, { secret: given = {} }: SignedBody['meta']): void {
  const named = namesIn(data);
  const isNew = data.parent === undefined;
  assertNone([
    ...ownHeadersIn(data),
    ...repeatedHeadersIn(data),
    ...(isNew ? missingOf(named, Object.keys(given)) : []),
    ...unknownIn(given, named),
    ...Object.entries(given).flatMap(([one, value]) => violationsOf(one, value)),
    ...tooManyIn(named),
  ]);
}

/**
 * Attaches the values that were sent, and those stored before that the data still uses. Refuses with
 * `record.schema-invalid` a name without a value.
 */
export async function attachSecrets(
  call: Call,
  next: Version,
  previous?: Version,
): Promise<Attached> {
  const { services, ledger } = call;
  const { luid, data } = next.record;
  const scope = ledger.handle;
  const { secret: given = {} } = (call.body as SignedBody).meta;
  const before = previous ? await wrappedOf(services, scope, luid) : {};
  const named = namesIn(data);
  assertNone(missingOf(named, [...Object.keys(given), ...Object.keys(before)]));
  const isSame = Object.keys(given).length === 0 && named.length === Object.keys(before).length;
  if (isSame) return { version: next, write: {} };
  const wrapped = named.map(async (one) => {
    const value = Object.hasOwn(given, one) ? given[one] : undefined;
    if (value === undefined) return [one, before[one] as Uint8Array] as const;
    const context = contextOfSecret(scope, luid, one);
    return [one, await services.keyring.wrap(Buffer.from(value), context)] as const;
  });
  return { version: next, write: { secrets: Object.fromEntries(await Promise.all(wrapped)) } };
}

/** The security rules of a bridge with their secrets filled in. The caller must send them to the bridge only. */
export async function securityOf(
  services: Pick<Services, 'store' | 'keyring'>,
  scope: Scope,
  { record }: Version,
): Promise<SecurityRule[]> {
  const { secure = [] } = record.data as unknown as BridgeData;
  const wrapped = secure.length > 0 ? await wrappedOf(services, scope, record.luid) : {};
  const unwrapped = Object.entries(wrapped).map(async ([one, bytes]) => {
    const value = await services.keyring.unwrap(bytes, contextOfSecret(scope, record.luid, one));
    return [one, Buffer.from(value).toString()] as const;
  });
  const secrets = Object.fromEntries(await Promise.all(unwrapped));
  return secure.map((rule) =>
    rule.schema === 'header'
      ? { ...rule, value: withSecrets(rule.value, secrets) }
      : { ...rule, clientSecret: withSecrets(rule.clientSecret, secrets) },
  );
}

async function wrappedOf(
  { store }: Pick<Services, 'store'>,
  scope: Scope,
  luid: string,
): Promise<WrappedSecrets> {
  const [found] = await store.load([{ what: 'secrets', scope, luid }]);
  return found ?? {};
}

/** The names of secrets in the data, each once. */
function namesIn(data: RecordData): string[] {
  const { secure = [] } = data as unknown as BridgeData;
  const texts = secure.map((rule) => (rule.schema === 'header' ? rule.value : rule.clientSecret));
  return [...new Set(texts.flatMap(secretNamesIn))];
}

/** A rule for a header that the ledger sets by itself would have no effect, or make every call fail. Decision 56. */
function ownHeadersIn(data: RecordData): ShapeViolation[] {
  const { secure = [] } = data as unknown as BridgeData;
  return secure.flatMap((rule, index) => {
    if (rule.schema !== 'header' || !reservedHeaders.has(rule.key.toLowerCase())) return [];
    const message = `must NOT be ${rule.key.toLowerCase()}, which the ledger says itself`;
    return violation(`/data/secure/${index}/key`, 'not', {}, message);
  });
}

/** A call sends a header once, so of two rules with its name one would mean nothing. RFC 9110 5.1. */
function repeatedHeadersIn(data: RecordData): ShapeViolation[] {
  const { secure = [] } = data as unknown as BridgeData;
  const names = secure.map((rule) =>
    rule.schema === 'header' ? rule.key.toLowerCase() : undefined,
  );
  return names.flatMap((key, index) => {
    if (key === undefined || names.indexOf(key) === index) return [];
    const message = `must NOT be ${key}, which another rule sets`;
    return violation(`/data/secure/${index}/key`, 'not', {}, message);
  });
}

function missingOf(named: readonly string[], there: readonly string[]): ShapeViolation[] {
  return named.filter((one) => !there.includes(one)).map((one) => missing(place, one));
}

/** An error repeats only what can be a name, since a caller may have sent a value in its place. */
function unknownIn(given: Secrets, named: readonly string[]): ShapeViolation[] {
  return Object.keys(given)
    .filter((one) => !named.includes(one))
    .map((one) =>
      name.test(one)
        ? violation(
            place,
            'additionalProperties',
            { additionalProperty: one },
            'must NOT have additional properties',
          )
        : violation(
            place,
            'propertyNames',
            { pattern: name.source },
            `property name must match pattern "${name.source}"`,
          ),
    );
}

function violationsOf(one: string, value: string): ShapeViolation[] {
  if (!name.test(one)) return [];
  const at = `${place}/${one}`;
  const limit = valueLengthMax;
  if (value.length === 0)
    return [violation(at, 'minLength', { limit: 1 }, 'must NOT have fewer than 1 characters')];
  if (value.length > limit)
    return [violation(at, 'maxLength', { limit }, `must NOT have more than ${limit} characters`)];
  if (printable.test(value)) return [];
  const pattern = printable.source;
  return [violation(at, 'pattern', { pattern }, `must match pattern "${pattern}"`)];
}

function tooManyIn(named: readonly string[]): ShapeViolation[] {
  const limit = nameCountMax;
  if (named.length <= limit) return [];
  const message = `must NOT name more than ${limit} secrets`;
  return [violation('/data/secure', 'maxProperties', { limit }, message)];
}
