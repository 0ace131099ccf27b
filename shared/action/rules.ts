/** What a kind asks of its data beyond the shape, and which keys its records hold. */
import { isValidPublic } from '../crypto/key.ts';
import { LedgerError } from '../ledger/errors.ts';
import type { Kind } from '../ledger/kind.ts';
import { parseConditions } from '../ledger/match.ts';
import type { RecordData } from '../ledger/record.ts';
import type { EffectData } from '../shape/effect.ts';
import type { Services } from './action.ts';
import { systemSigner } from './sign.ts';

interface Rules {
  /** Refuses data that no record of the kind may have. */
  readonly check?: (data: RecordData, services: Services) => void;
  /** The keys that prove as this record. */
  readonly keysOf?: (data: RecordData) => readonly string[];
}

const rules: Readonly<Partial<Record<Kind, Rules>>> = {
  signer: { check: checkSigner, keysOf: keysOfSigner },
  effect: { check: checkEffect },
};

/** Refuses data that breaks a rule of the kind. */
export function assertRules(kind: Kind, data: RecordData, services: Services): void {
  rules[kind]?.check?.(data, services);
}

/** The keys that prove as a record of this kind and data. */
export function keysOf(kind: Kind, data: RecordData): readonly string[] {
  return rules[kind]?.keysOf?.(data) ?? [];
}

/** The service's own signer is nobody else's to change. Ruling 24. */
export function isOfService(kind: Kind, data: RecordData): boolean {
  return kind === 'signer' && data.handle === systemSigner;
}

function keysOfSigner(data: RecordData): readonly string[] {
  return typeof data['public'] === 'string' ? [data['public']] : [];
}

/** A key and its format come together, and the key is one that can be trusted. Rulings 7 and 63. */
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

/** An effect tells someone who may be called, under conditions that can be judged. Rulings 59, 62. */
function checkEffect(data: RecordData, services: Services): void {
  const { action, filter } = data as unknown as EffectData;
  if (action.schema === 'bridge')
    throw new LedgerError('record.relation-not-found', `Bridge ${action.bridge} not found`, {
      bridge: action.bridge,
    });
  services.assertEndpoint(action.endpoint);
  if (filter) parseConditions(filter, services.patternMaker);
}

function invalid(
  instancePath: string,
  keyword: string,
  params: Readonly<Record<string, string>>,
  message: string,
): LedgerError {
  const schemaPath = `#${instancePath.replaceAll('/', '/properties/')}/${keyword}`;
  const errors = [{ instancePath, schemaPath, keyword, params, message }];
  return new LedgerError('record.schema-invalid', `${instancePath} ${message}`, { errors });
}
