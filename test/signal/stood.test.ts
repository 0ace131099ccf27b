/** Goal: a record is found as it stood, whatever was changed since. Ruling 58, Decision 136. */
import { describe, expect, test } from 'vitest';
import { firstChangeOf, type Version } from '../../shared/ledger/record.ts';
import { recordAfter, recordBy } from '../../shared/signal/stood.ts';
import { created, proved, revised } from '../fixture/version.ts';

const first = created('wallet', 'alice');
const second = revised(first, { custom: { floor: 2 } });
/** Three changes in one version. */
const third = proved(second, 3);
const last = revised(third, { custom: { floor: 3 } });

/** The superseded versions, with what was asked of them. */
function past(versions: readonly Version[] = [first, second, third]) {
  const asked: string[] = [];
  const reader = {
    past: async (scope: string, luid: string, from: number, to: number) => {
      asked.push(`${scope} ${luid} ${from} ${to}`);
      return versions.filter((one) => one.change >= from && firstChangeOf(one) <= to);
    },
  };
  return { reader, asked };
}

const { luid } = last.record;
const timeOf = ({ steps }: Version, index = 0) => Date.parse(steps[index]?.moment ?? '');

describe('after a change', () => {
  test('the current one is at hand', async () => {
    const { reader, asked } = past();
    expect(await recordAfter(reader, 'main', last, last.change)).toEqual(last.record);
    expect(await recordAfter(reader, 'main', third, 5)).toEqual(third.record);
    expect(asked).toEqual([]);
  });

  test('an earlier one of the same version has its proofs', async () => {
    const { reader, asked } = past();
    const found = await recordAfter(reader, 'main', third, 4);
    expect(found.meta.proofs).toEqual(third.record.meta.proofs.slice(0, -1));
    expect(asked).toEqual([]);
  });

  test('a superseded one is read', async () => {
    const { reader, asked } = past();
    expect(await recordAfter(reader, 'main', last, 2)).toEqual(second.record);
    expect(asked).toEqual([`main ${luid} 2 2`]);
  });
});

describe('at a time', () => {
  test('at or after its last change it is the current one', async () => {
    const { reader, asked } = past();
    expect(await recordBy(reader, 'main', last, timeOf(last))).toEqual(last.record);
    expect(await recordBy(reader, 'main', last, timeOf(last) + 1)).toEqual(last.record);
    expect(asked).toEqual([]);
  });

  test('before that it is the one that stood then, however far back', async () => {
    const { reader, asked } = past();
    expect(await recordBy(reader, 'main', last, timeOf(last) - 1)).toEqual(third.record);
    const middle = await recordBy(reader, 'main', last, timeOf(third, 1));
    expect(middle.meta.proofs).toEqual(third.record.meta.proofs.slice(0, -1));
    expect(await recordBy(reader, 'main', last, timeOf(first))).toEqual(first.record);
    expect(asked).toEqual(Array(3).fill(`main ${luid} 1 5`));
  });

  test('before its first change it is the current one', async () => {
    const { reader } = past();
    expect(await recordBy(reader, 'main', last, timeOf(first) - 1)).toEqual(last.record);
    const { reader: none, asked } = past([]);
    expect(await recordBy(none, 'main', first, timeOf(first) - 1)).toEqual(first.record);
    expect(asked).toEqual([]);
  });

  test('so many changes back, it is the current one, after one look', async () => {
    const versions = [first];
    for (let count = 1; count < 30; count += 1) versions.push(revised(versions.at(-1) as Version));
    const { reader, asked } = past(versions.slice(0, -1));
    const now = versions.at(-1) as Version;
    expect(await recordBy(reader, 'main', now, timeOf(first))).toEqual(now.record);
    expect(asked).toEqual([`main ${luid} 10 29`]);
    const oldest = versions[9] as Version;
    expect(await recordBy(reader, 'main', now, timeOf(oldest))).toEqual(oldest.record);
  });
});
