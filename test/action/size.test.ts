/** Goal: what is accepted can be kept, told and ended. Decision 16. */
import { describe, expect, test } from 'vitest';
import { createIntent } from '../../shared/action/create-intent.ts';
import { prove } from '../../shared/action/prove.ts';
import { canonicalOf } from '../../shared/crypto/canonical.ts';
import type { LedgerError } from '../../shared/ledger/errors.ts';
import { type Version, versionOf } from '../../shared/ledger/record.ts';
import type { Delivery } from '../../shared/port/deliveries.ts';
import type { Write } from '../../shared/port/ports.ts';
import { excessOf } from '../../shared/record/size.ts';
import { eventsOf } from '../../shared/signal/event.ts';
import { pack } from '../../shared/store/pack.ts';
import { packEvent } from '../../shared/store/pack-delivery.ts';
import { claimOf, newKey, proofOf, signed } from '../fixture/client.ts';
import { newDelivery } from '../fixture/delivery.ts';
import { openDesk } from '../fixture/desk.ts';
import { created, dropped, proofBy } from '../fixture/version.ts';
import { entryOf } from '../signal/post.ts';

const bytesMax = 340_000;
const sizeOf = ({ record }: Version) => Buffer.byteLength(canonicalOf(record));

/** A wallet of so many bytes. */
function walletOf(bytes: number): Version {
  const { record } = created('wallet', 'alice', { custom: { essay: '' } });
  const spare = bytes - Buffer.byteLength(canonicalOf(record));
  const wallet = created('wallet', 'alice', { custom: { essay: 'x'.repeat(spare) } });
  expect(sizeOf(wallet)).toBe(bytes);
  return wallet;
}

/** The version after a proof by the signer: `system` for a word of the ledger. */
function told(previous: Version, signer: string, status = 'inactive'): Version {
  const { kind, record } = previous;
  const { moment } = record.meta;
  const proof = proofBy(signer, record.hash, { luid: record.luid, moment, status });
  const proofs = [...record.meta.proofs, proof];
  const next = { ...record, meta: { ...record.meta, proofs, status } };
  const step = { action: 'update', status, moment, proofs: proofs.length } as const;
  return versionOf(kind, next, [step], previous);
}

function refusalOf(write: Pick<Write, 'next' | 'previous'>): LedgerError | undefined {
  return excessOf({ writes: [{ scope: 'main', signals: [], ...write }] });
}

/** The delivery that tells a version to an effect of the longest name. */
function deliveryOf(version: Version): Delivery {
  const [event] = eventsOf(entryOf(version), version);
  const delivery = newDelivery('main', 'hook');
  const record = { ...delivery.data.record, data: event?.data ?? { handle: '' } };
  const { handle, linked } = delivery.data;
  return { ...delivery, data: { handle, linked, effect: 'x'.repeat(256), record } };
}

const tooLarge = { reason: 'api.body-malformed', custom: { fault: 'too-large' } };

describe('a request', () => {
  test('may fill a record to the last byte, and no further', () => {
    expect(refusalOf({ next: walletOf(bytesMax) })).toBeUndefined();
    const refusal = refusalOf({ next: walletOf(bytesMax + 1) });
    expect(refusal).toMatchObject(tooLarge);
    expect(refusal?.custom).toMatchObject({ bytes: bytesMax + 1 });
  });

  test('is refused for a record that is small as it is stored and large as it is told', () => {
    const signer = 'x'.repeat(256);
    let version = created('wallet', 'alice');
    for (let count = 0; count < 498; count += 1)
      version = told(version, signer, String(count).padEnd(220, 'x'));
    const { meta = '', data = '', proofs } = pack(version);
    expect(data.length + meta.length + proofs.length).toBeLessThan(200_000);
    expect(() => packEvent(deliveryOf(version))).toThrow();
    expect(refusalOf({ next: version, previous: created('wallet', 'alice') })).toMatchObject(
      tooLarge,
    );
  });

  test('may not use what is kept for the ledger', () => {
    const full = walletOf(bytesMax);
    expect(refusalOf({ next: told(full, 'ada'), previous: full })).toMatchObject(tooLarge);
    const small = created('wallet', 'alice');
    expect(refusalOf({ next: walletOf(bytesMax + 500), previous: small })).toMatchObject(tooLarge);
  });
});

describe('a record that is full', () => {
  test('takes forty words of the ledger, and can then be kept, told and ended', () => {
    let version = walletOf(bytesMax);
    for (let count = 0; count < 40; count += 1) {
      const next = told(version, 'system');
      expect(refusalOf({ next, previous: version })).toBeUndefined();
      version = next;
    }
    expect(() => packEvent(deliveryOf(version))).not.toThrow();
    const last = dropped(version);
    expect(refusalOf({ next: last, previous: version })).toBeUndefined();
    expect(() => pack(last)).not.toThrow();
  });

  test('can be ended by fifty signers with the longest names', () => {
    const last = dropped(walletOf(bytesMax));
    const { drop } = last;
    const [proof] = drop?.meta.proofs ?? [];
    if (!drop || !proof) throw new Error('A drop has a proof.');
    const proofs = Array.from({ length: 50 }, () => ({ ...proof, signer: 'x'.repeat(256) }));
    const next = { ...last, drop: { ...drop, meta: { proofs } } };
    expect(refusalOf({ next })).toBeUndefined();
    expect(() => pack(next)).not.toThrow();
  });

  test('is not ended with more words than can be kept beside it', () => {
    const last = dropped(created('wallet', 'alice'));
    const { drop } = last;
    if (!drop) throw new Error('A last version has a drop.');
    const proof = proofBy('owner', drop.hash, { status: 'dropped', essay: 'x'.repeat(40_000) });
    const next = { ...last, drop: { ...drop, meta: { proofs: [proof] } } };
    expect(refusalOf({ next })).toMatchObject(tooLarge);
  });
});

test('a decision has no more than what is kept for it, though there is room, Ruling 68', async () => {
  const { make, run, key } = await openDesk();
  await make('symbol', { handle: 'usd', factor: 1 });
  await make('wallet', { handle: 'till' });
  const data = { handle: 'i', claims: [claimOf('issue till 1 usd')], config: { commit: 'manual' } };
  const { hash, meta } = await run(createIntent, { body: signed(data, key) });
  expect(meta.status).toBe('prepared');
  const decided = (length: number) => {
    const body = proofOf(hash, key, { status: 'committed', essay: 'x'.repeat(length) });
    return run(prove('intent'), { path: { id: 'i' }, body });
  };
  await expect(decided(4_000)).rejects.toMatchObject({
    ...tooLarge,
    custom: { fault: 'too-large', bytesMax: 4_000 },
  });
  expect((await decided(3_000)).meta.status).toBe('completed');
});

test('a last signature has what is kept for it, and is refused where it needs more, Ruling 49', async () => {
  const { make, run, key } = await openDesk();
  const ann = newKey();
  await make('symbol', { handle: 'usd', factor: 1 });
  await make('wallet', { handle: 'till' });
  const creators = { action: 'create', record: 'intent', signer: { public: ann.public } };
  await make('circle', { handle: 'staff', access: [creators] });
  const claims = [claimOf('issue till 1 usd')];
  // What is kept for the rest leaves less room than a signature may take.
  const data = { handle: 'i', claims, custom: { essay: 'x'.repeat(327_000) } };
  const { hash, meta } = await run(createIntent, { body: signed(data, ann) });
  expect(meta.status).toBe('pending');
  const signing = (length: number) => {
    const body = proofOf(hash, key, { essay: 'x'.repeat(length) });
    return run(prove('intent'), { path: { id: 'i' }, body });
  };
  await expect(signing(5_000)).rejects.toMatchObject(tooLarge);
  expect((await signing(3_000)).meta.status).toBe('completed');
});
