/** The shape of a bridge: its address, what it is called for, and how calls are authenticated. Ruling 53. */
import * as z from 'zod/mini';
import { headerNamePattern, headerValuePattern, secretPattern } from './patterns.ts';
import { AddressHandle, commonData } from './record.ts';

const nameLengthMax = 256;
const urlLengthMax = 2048;
const textLengthMax = 4096;

/** Groups claims into one entry: those with one address, or those with one wallet by any address. */
const Grouping = z.literal(['address', 'wallet']);

const Config = z.strictObject({
  /** Its base address. */
  server: z.string().check(z.minLength(1), z.maxLength(urlLengthMax)),
  'debits.claims.groupBy': z.exactOptional(Grouping),
  'credits.claims.groupBy': z.exactOptional(Grouping),
});

/** A bridge without traits is called for everything. */
const traitNames = ['debits', 'credits', 'statuses', 'anchors', 'domains', 'effects'] as const;
const TraitName = z.literal(traitNames);
const Trait = z.union([
  TraitName,
  z.strictObject({ method: TraitName, filter: z.exactOptional(z.record(z.string(), z.unknown())) }),
]);

/** The signed data only name a secret: `{{ secret.<name> }}`. Decision 22. */
const SecretName = z.string().check(z.regex(secretPattern));

const HeaderValue = z.string().check(z.maxLength(textLengthMax), z.regex(headerValuePattern));

const HeaderRule = z.strictObject({
  schema: z.literal('header'),
  key: z.string().check(z.maxLength(nameLengthMax), z.regex(headerNamePattern)),
  value: HeaderValue,
});

const OAuthRule = z.strictObject({
  schema: z.literal('oauth2'),
  clientId: z.string().check(z.minLength(1), z.maxLength(textLengthMax)),
  clientSecret: SecretName,
  tokenUrl: z.string().check(z.minLength(1), z.maxLength(urlLengthMax)),
  scope: z.exactOptional(z.string().check(z.maxLength(textLengthMax))),
});

const SecurityRule = z.discriminatedUnion('schema', [HeaderRule, OAuthRule]);
/** The authentication of calls to a bridge. */
export type SecurityRule = z.infer<typeof SecurityRule>;

export const BridgeData = z.strictObject({
  ...commonData,
  handle: AddressHandle,
  schema: z.exactOptional(z.literal('rest')),
  config: Config,
  traits: z.exactOptional(z.array(Trait).check(z.maxLength(16))),
  secure: z.exactOptional(z.array(SecurityRule).check(z.maxLength(16))),
});
export type BridgeData = z.infer<typeof BridgeData>;

/** The values of the secrets that the data name. They are sent beside the proofs and not signed. */
export const bridgeMeta = { secret: z.exactOptional(z.record(z.string(), z.string())) };
