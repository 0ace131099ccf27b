/** Atomic batches, and what others store while one is judged. Ruling 90, Decision 103. */
import { expect, test } from 'vitest';
import { batchIntents } from '../../shared/action/batch-intents.ts';
import { createIntent } from '../../shared/action/create-intent.ts';
import type { Body, Item } from '../fixture/client.ts';
import { claimOf, signed } from '../fixture/client.ts';
import { type Desk, openDesk } from '../fixture/desk.ts';

type Line = Item & { readonly status: number };

async function postAll(desk: Desk, data: readonly Body[]): Promise<Line[]> {
  const { data: lines } = await desk.run(batchIntents, { body: { data, mode: 'atomic' } });
  return lines as unknown as Line[];
}

test.each([1, 2, 3, 4])(
  'a batch that another request stores after reading %i of this one is answered with its records',
  async (number) => {
    let meanwhile: (() => Promise<unknown>) | undefined;
    let left = number;
    const desk = await openDesk(({ load }) => ({
      load: async (wants) => {
        const found = await load(wants);
        const isOfIntents = wants.some((one) => one.what === 'record' && one.kind === 'intent');
        if (meanwhile && isOfIntents && --left === 0) await meanwhile();
        return found;
      },
    }));
    const { key, run, make } = desk;
    await make('symbol', { handle: 'usd', factor: 100 });
    for (const handle of ['a', 'b']) await make('wallet', { handle });
    const funds = signed({ handle: 'funds', claims: [claimOf('issue a 25 usd')] }, key);
    await run(createIntent, { body: funds });
    const data = ['p', 'q'].map((handle) =>
      signed({ handle, claims: [claimOf('transfer a b 10 usd')] }, key),
    );
    let others: Line[] = [];
    meanwhile = async () => {
      others = await postAll(desk, data);
    };
    const lines = await postAll(desk, data);
    expect(lines.map(({ status }) => status)).toEqual([200, 200]);
    expect(lines.map(({ luid }) => luid)).toEqual(others.map(({ luid }) => luid));
  },
);
