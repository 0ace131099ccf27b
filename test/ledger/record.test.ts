import { describe, expect, test } from 'vitest';
import {
  attachmentOf,
  type ChangeStep,
  changesOf,
  firstChangeOf,
  isDropped,
  type LedgerRecord,
  type Version,
  versionOf,
} from '../../shared/ledger/record.ts';
import type { Proof } from '../../shared/shape/proof.ts';

const proof = (name: string): Proof => ({
  method: 'ed25519-v2',
  public: name,
  digest: '0'.repeat(64),
  result: name,
});
const record: LedgerRecord = {
  luid: '$int.1',
  hash: 'f'.repeat(64),
  data: { handle: 'rent' },
  meta: {
    proofs: ['author', 'pending', 'prepared', 'completed'].map(proof),
    status: 'completed',
    moment: '2024-01-01T00:00:00.003Z',
    owners: ['author'],
    labels: ['home'],
  },
};
const step = (
  status: string,
  proofs: number,
  action: ChangeStep['action'] = 'update',
): ChangeStep => ({
  action,
  status,
  moment: `2024-01-01T00:00:00.00${proofs}Z`,
  proofs,
});
const steps = [step('pending', 2, 'create'), step('prepared', 3), step('completed', 4)];
const version = versionOf('intent', record, steps);

describe('a version that holds several changes', () => {
  test('has the number of the last of them', () => {
    expect(version.change).toBe(3);
    expect(firstChangeOf(version)).toBe(1);
  });

  test('is told as one snapshot for each', () => {
    const told = changesOf(version).map(({ meta }) => ({
      action: meta.action,
      change: meta.change,
      status: meta.status,
      moment: meta.moment,
      proofs: meta.proofs.map((one) => one.public),
    }));
    const moment = (digit: number) => `2024-01-01T00:00:00.00${digit}Z`;
    const proofs = ['author', 'pending', 'prepared', 'completed'];
    expect(told).toEqual([
      {
        action: 'create',
        change: 1,
        status: 'pending',
        moment: moment(2),
        proofs: proofs.slice(0, 2),
      },
      {
        action: 'update',
        change: 2,
        status: 'prepared',
        moment: moment(3),
        proofs: proofs.slice(0, 3),
      },
      { action: 'update', change: 3, status: 'completed', moment: moment(4), proofs },
    ]);
  });

  test('each snapshot has the identity, the data and the owners of the record', () => {
    for (const { luid, hash, data, meta } of changesOf(version)) {
      expect({ luid, hash, data }).toEqual({
        luid: '$int.1',
        hash: record.hash,
        data: record.data,
      });
      expect(meta.owners).toEqual(['author']);
      expect(meta.labels).toEqual(['home']);
      expect(meta).not.toHaveProperty('drop');
    }
  });
});

describe('the next version', () => {
  const meta = { ...record.meta, proofs: record.meta.proofs.slice(0, 1) };
  const next = versionOf('intent', { ...record, meta }, [step('completed', 1)], version);

  test('continues the numbers', () => {
    expect(firstChangeOf(next)).toBe(4);
    expect(next.change).toBe(4);
    expect(changesOf(next).map((change) => change.meta.change)).toEqual([4]);
  });

  test('has not ended the record unless it drops it', () => {
    expect(isDropped(version)).toBe(false);
    expect(isDropped(next)).toBe(false);
  });

  test('shows the author’s own words when it is a drop', () => {
    const drop = { hash: 'd'.repeat(64), data: { parent: record.hash }, meta: { proofs: [] } };
    const last: Version = {
      ...versionOf('wallet', { ...record, meta }, [step('dropped', 1, 'drop')], next),
      drop,
    };
    expect(isDropped(last)).toBe(true);
    expect(changesOf(last)).toEqual([
      {
        ...record,
        meta: {
          ...meta,
          status: 'dropped',
          moment: '2024-01-01T00:00:00.001Z',
          action: 'drop',
          change: 5,
          drop,
        },
      },
    ]);
  });
});

test('a version without a change is a bug', () => {
  expect(() => versionOf('intent', record, [])).toThrow('a version holds at least one change');
});

test('a version whose last change lacks a proof, or has one too many, is a bug', () => {
  for (const proofs of [3, 5])
    expect(() => versionOf('intent', record, [step('completed', proofs)])).toThrow(
      'the last step of a version has all of its proofs',
    );
});

describe('the proofs that are used up, Decision 28:', () => {
  const at = (proofs: number, more: Partial<LedgerRecord['meta']>, hash = record.hash) => ({
    ...record,
    hash,
    meta: { ...record.meta, proofs: record.meta.proofs.slice(0, proofs), ...more },
  });
  const first = versionOf('wallet', at(2, { status: 'created' }), [step('created', 2, 'create')]);
  const following = (next: LedgerRecord, previous: Version) =>
    versionOf('wallet', next, [step(next.meta.status, next.meta.proofs.length)], previous);

  test('none, until the status or the labels change', () => {
    expect(first).not.toHaveProperty('counted');
    expect(following(at(3, { status: 'created' }), first)).not.toHaveProperty('counted');
  });

  test('those that stood when the status changed, and those that stood when the labels did', () => {
    const active = following(at(3, { status: 'active' }), first);
    expect(active.counted).toEqual({ status: 3 });
    expect(following(at(4, { status: 'active' }), active).counted).toEqual({ status: 3 });
    const labelled = following(at(4, { status: 'active', labels: ['home', 'vip'] }), active);
    expect(labelled.counted).toEqual({ status: 3, labels: 4 });
  });

  test('none again with new data', () => {
    const active = following(at(3, { status: 'active' }), first);
    expect(following(at(2, { status: 'active' }, 'e'.repeat(64)), active)).not.toHaveProperty(
      'counted',
    );
  });
});

test('what an intent carries is carried without what is not there', () => {
  const whole = {
    accepted: [3],
    together: ['one', 'two'],
    bridgeOwners: { bank: ['key'] },
    bridgeLuids: { bank: 'luid' },
    limitedWallets: ['ann'],
    isLimited: true,
    spread: 4,
  } as const;
  expect(attachmentOf(whole)).toEqual(whole);
  expect(attachmentOf({})).toEqual({});
  expect(attachmentOf({ accepted: [] })).toEqual({});
});
