/** Goal: what one decision is about is read in one round trip, whoever asks for it. */
import { expect, test } from 'vitest';
import type { Store, Want } from '../../shared/port/ports.ts';
import { readerOf } from '../../shared/record/reader.ts';

function counted() {
  const loads: Want[][] = [];
  const load = async (wants: readonly Want[]) => {
    loads.push([...wants]);
    return wants.map((want) =>
      want.what === 'holder' ? { signer: `of ${want.public}` } : undefined,
    );
  };
  return { loads, reader: readerOf({ load } as unknown as Store, 'bank', 'bank') };
}

test('what is asked for at one moment is one load, each of it once, also behind other promises', async () => {
  const { loads, reader } = counted();
  const later = async () => {
    await Promise.resolve();
    return reader.balances([{ wallet: 'a', symbol: 'usd' }]);
  };
  await Promise.all([
    reader.home(),
    reader.rulebook(),
    reader.record('wallet', 'a'),
    reader.records('wallet', ['a', 'b']),
    reader.named({ relations: [{ kind: 'bridge', handle: 'core' }], domain: 'north' }),
    later(),
  ]);
  expect(loads).toEqual([
    [
      { what: 'record', scope: '', kind: 'ledger', handle: 'bank', mayBeRecent: true },
      { what: 'rulebook', scope: 'bank', mayBeRecent: true },
      { what: 'record', scope: 'bank', kind: 'wallet', handle: 'a' },
      { what: 'record', scope: 'bank', kind: 'wallet', handle: 'b' },
      { what: 'record', scope: 'bank', kind: 'bridge', handle: 'core' },
      { what: 'record', scope: 'bank', kind: 'domain', handle: 'north' },
      { what: 'balance', scope: 'bank', wallet: 'a', symbol: 'usd' },
    ],
  ]);
});

test('what was read stays as it was read, and what comes later is another load', async () => {
  const { loads, reader } = counted();
  await reader.record('wallet', 'a');
  await Promise.all([reader.record('wallet', 'a'), reader.record('wallet', 'b')]);
  expect(loads.map((wants) => wants.length)).toEqual([1, 1]);
});

test('signers are answered by key', async () => {
  const { reader } = counted();
  expect(await reader.signers(['k', 'l'])).toEqual(
    new Map([
      ['k', 'of k'],
      ['l', 'of l'],
    ]),
  );
});

test('what cannot be there is refused before anything is read', async () => {
  const { loads, reader } = counted();
  const named = { relations: [{ kind: 'bridge', handle: 'no handle' }] } as const;
  await expect(reader.named(named)).rejects.toMatchObject({ reason: 'record.relation-not-found' });
  expect(loads).toEqual([]);
});
