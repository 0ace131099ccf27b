import { describe, expect, test } from 'vitest';
import type { Kind } from '../../shared/ledger/kind.ts';
import { type Version, versionOf } from '../../shared/ledger/record.ts';
import { demandOf, describedIn, namesSchema } from '../../shared/ledger/schema.ts';

const schemaFor = (record: string): Version => {
  const data = { handle: 'bank', record, format: 'json-schema', schema: {} as never };
  const meta = { proofs: [], status: 'created', moment: '', owners: [] };
  const step = { action: 'create', status: 'created', moment: '', proofs: 0 } as const;
  return versionOf('schema', { luid: '$sch.1', hash: '', data, meta }, [step]);
};
const named = (schema?: string) => (schema === undefined ? {} : { schema });

describe('Ruling 65: what schemas demand', () => {
  test.each<[Kind, string | undefined, string | undefined, string]>([
    // kind, what the record names, for which kind that schema is, the demand
    ['wallet', 'bank', 'wallet', 'found'],
    ['wallet', 'bank', 'signer', 'unknown'],
    ['wallet', 'bank', undefined, 'unknown'],
    ['wallet', undefined, undefined, 'unnamed'],
    ['bridge', undefined, undefined, 'free'],
    ['bridge', 'rest', undefined, 'free'],
    ['bridge', 'rest', 'bridge', 'found'],
    ['bridge', 'soap', undefined, 'unknown'],
    ['signer-factor', 'key-pair', undefined, 'free'],
    ['policy', 'status', undefined, 'free'],
    ['policy', 'status', 'policy', 'found'],
    ['report', 'trans_details_rep', undefined, 'free'],
    ['report', undefined, undefined, 'unnamed'],
    ['ledger', 'bank', 'ledger', 'free'],
    ['schema', undefined, 'schema', 'free'],
  ])('of a %s that names %s, which is for %s: %s', (kind, name, record, demand) => {
    const found = record === undefined ? undefined : schemaFor(record);
    expect(demandOf(kind, named(name), found, { [`schema ${kind}`]: 1 })).toBe(demand);
  });

  test('nothing, where none is for the kind', () => {
    expect(demandOf('wallet', named('bank'), schemaFor('wallet'), undefined)).toBe('free');
    expect(demandOf('wallet', named('bank'), undefined, { 'schema signer': 1 })).toBe('free');
  });
});

test('a schema and a ledger name no schema', () => {
  expect((['wallet', 'intent', 'schema', 'ledger'] as const).filter(namesSchema)).toEqual([
    'wallet',
    'intent',
  ]);
});

test('the parent is not described', () => {
  expect(describedIn({ handle: 'a', parent: 'x', custom: {} })).toEqual({
    handle: 'a',
    custom: {},
  });
});
