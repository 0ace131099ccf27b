/** Goal: nothing that can be stored, and nothing old, is anybody's wish. Method: the clock is the test's. Decision 43. */
import { describe, expect, test } from 'vitest';
import { requiringFreshProofs } from '../../shared/access/fresh-proofs.ts';
import { LedgerError } from '../../shared/ledger/errors.ts';
import type { Kind } from '../../shared/ledger/kind.ts';
import type { Call, Services } from '../../shared/port/action.ts';
import { type Body, type Json, newKey, signed } from '../fixture/client.ts';

const nowMs = Date.parse('2026-06-01T12:00:00.000Z');
const at = (ms: number) => ({ moment: new Date(nowMs + ms).toISOString() });
const [ann, bob] = [newKey(), newKey()];
const format = 'ed25519-raw';

/** The least that a record of each kind says: a new kind needs a line here. */
const stored: Readonly<Record<Kind, Json>> = {
  ledger: { handle: 'x' },
  signer: { handle: 'x', public: ann.public, format },
  symbol: { handle: 'x', factor: 1 },
  wallet: { handle: 'x' },
  intent: { handle: 'x', claims: [{ action: 'issue', target: 'a', symbol: 's', amount: 1 }] },
  effect: {
    handle: 'x',
    signal: 'wallet-created',
    action: { schema: 'webhook', endpoint: 'https://a.example' },
  },
  'signer-factor': { handle: 'x', signer: 'a', schema: 'key-pair', public: ann.public, format },
  circle: { handle: 'x' },
  'circle-signer': { circle: 'x', signer: 'y' },
  bridge: { handle: 'x', config: { server: 'https://a.example' } },
  domain: { handle: 'x' },
  anchor: { handle: 'x', target: 'y' },
  schema: { handle: 'x', record: 'wallet', format: 'json-schema', schema: {} },
  policy: { handle: 'x', schema: 'labels', record: 'any', values: [] },
  report: { handle: 'x', schema: 'monthly' },
};

/** Who is heard, by key, of whoever signed the body. */
async function heard(body: Body): Promise<readonly string[]> {
  const call = { services: { clock: () => nowMs } as Services, body } as Call;
  const answer = await requiringFreshProofs(async ({ body: one }) => {
    return { status: 200, body: (one as Body).meta.proofs.map((proof) => proof.public) };
  })(call);
  return answer.body as readonly string[];
}

/** What whoever is refused hears, with the reason for which the action refuses. */
async function refusal(body: Body, reason: 'auth.forbidden' | 'record.not-found') {
  const call = { services: { clock: () => nowMs } as Services, body } as Call;
  const refuse = async () => Promise.reject(new LedgerError(reason, 'No.'));
  const error: unknown = await requiringFreshProofs(refuse)(call).catch(
    (thrown: unknown) => thrown,
  );
  return error instanceof LedgerError ? [error.reason, error.custom] : error;
}

describe('a body with the data of a record is nobody’s wish:', () => {
  test.each(Object.entries(stored))('%s', async (_, data) => {
    expect(await heard(signed(data, ann, at(0)))).toEqual([]);
    const parent = 'a'.repeat(64);
    expect(await heard(signed({ ...data, parent }, ann, at(0)))).toEqual([]);
    expect(await heard(signed({ ...data, access: [], custom: { a: 1 } }, ann, at(0)))).toEqual([]);
    expect(await refusal(signed(data, ann, at(0)), 'auth.forbidden')).toEqual([
      'crypto.signature-invalid',
      { index: 0, fault: 'record' },
    ]);
  });

  test('a drop', async () => {
    const parent = 'a'.repeat(64);
    expect(await heard(signed({ parent }, ann, { ...at(0), status: 'dropped' }))).toEqual([]);
  });
});

test.each<Json>([
  {},
  { maxAge: 60 },
  { handle: 'evt_-P6vTc0qVWvHQeDcn' },
  { handle: '$evd.-P6vTc0qVWvHQeDcn' },
  { handle: { $eq: 'x' } },
  { target: 'a@b' },
  { offset: 60 },
  { action: 'read', record: 'wallet' },
])('%o is no record', async (data) => {
  expect(await heard(signed(data, [ann, bob], at(0)))).toEqual([ann.public, bob.public]);
});

test.each([
  [-300_000, true],
  [300_000, true],
  [-300_001, false],
  [300_001, false],
])('a wish of %i milliseconds from now counts: %s', async (ms, isHeard) => {
  expect(await heard(signed({}, ann, at(ms)))).toEqual(isHeard ? [ann.public] : []);
});

test('whoever is heard is heard beside others who are not, and other refusals stay what they are', async () => {
  const [fresh, stale] = [signed({}, ann, at(0)), signed({}, bob, at(-400_000))];
  const both = { ...fresh, meta: { proofs: [...fresh.meta.proofs, ...stale.meta.proofs] } };
  expect(await heard(both)).toEqual([ann.public]);
  const said = { index: 1, fault: 'moment', maxAgeSeconds: 300 };
  expect(await refusal(both, 'auth.forbidden')).toEqual(['crypto.signature-invalid', said]);
  expect(await refusal(fresh, 'auth.forbidden')).toEqual(['auth.forbidden', undefined]);
  expect(await refusal(both, 'record.not-found')).toEqual(['record.not-found', undefined]);
});
