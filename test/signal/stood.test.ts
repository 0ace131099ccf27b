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
    asked.length = 0;
    expect(await recordBy(reader, 'main', last, timeOf(first))).toEqual(first.record);
    expect(asked).toEqual([`main ${luid} 5 5`, `main ${luid} 2 2`, `main ${luid} 1 1`]);
  });

  test('before its first change it is the current one', async () => {
    const { reader, asked } = past();
    expect(await recordBy(reader, 'main', last, timeOf(first) - 1)).toEqual(last.record);
    expect(asked).toHaveLength(3);
  });
});
