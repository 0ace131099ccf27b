/**
 * Goal: whatever is stored, each page is one that Lambda carries, and who follows the cursors sees each row once.
 * What is measured is the JSON of what a function returns. Rulings 19 and 22, Decision 84.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { listAnchors, lookupAnchors } from '../../shared/action/anchors.ts';
import { balances } from '../../shared/action/balances.ts';
import { create } from '../../shared/action/create.ts';
import { walletDomains } from '../../shared/action/domains.ts';
import { listEvents } from '../../shared/action/events.ts';
import { history } from '../../shared/action/history.ts';
import { list } from '../../shared/action/list.ts';
import { prove } from '../../shared/action/prove.ts';
import { update } from '../../shared/action/update.ts';
import { reply } from '../../shared/http/reply.ts';
import type { Action, Answer, Call } from '../../shared/port/action.ts';
import { type Item, type Json, now, proofOf, revision, signed, unique } from '../fixture/client.ts';
import { type Desk, openDesk } from '../fixture/desk.ts';
import { runs } from '../fixture/runs.ts';

const lambdaBytesMax = 6 * 1024 * 1024;
const largest = 330_000;
/** As much as a record may hold: of letters, and of what takes twice as much on its way. */
const letters = 'x'.repeat(largest);
const quotes = '"'.repeat(Math.floor(largest / 2));
const controls = '\u0001'.repeat(Math.floor(largest / 6));

interface Listed {
  readonly data: readonly Item[];
  readonly page: { readonly index: number; readonly limit: number; readonly next?: string };
}

/** One page; what a function would return of it is measured. */
async function pageOf(desk: Desk, action: Action, call: Partial<Call>): Promise<Listed> {
  const body = (await desk.run(action, call)) as unknown as Listed;
  const result = reply(desk.services, { status: 200, body } as Answer, 'request');
  expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThanOrEqual(lambdaBytesMax);
  return body;
}

/** All pages, from the one that a query asks for on, as long as they say where to go on. */
async function pagesFrom(
  desk: Desk,
  action: Action,
  call: Partial<Call>,
  meanwhile: (pageCount: number) => Promise<void> = async () => {},
): Promise<Listed[]> {
  const pages = [await pageOf(desk, action, call)];
  for (;;) {
    const next = pages.at(-1)?.page.next;
    if (next === undefined) return pages;
    await meanwhile(pages.length);
    const { 'page.index': _index, ...query } = call.query ?? {};
    const onward = { ...call, query: { ...query, 'page.cursor': [next] } };
    pages.push(await pageOf(desk, action, onward));
  }
}

const rowsIn = (pages: readonly Listed[]) => pages.flatMap(({ data }) => data);
const handlesIn = (pages: readonly Listed[]) => rowsIn(pages).map(({ data }) => data.handle);
const limited = (limit: number) => ({ 'page.limit': [String(limit)] });

/** A ledger of so many large wallets, newest first. */
async function shelf(count: number, essay: string) {
  const desk = await openDesk();
  const handles: string[] = [];
  for (let n = 0; n < count; n += 1) {
    await desk.make('wallet', { handle: `w${n}`, custom: { n, essay } });
    handles.unshift(`w${n}`);
  }
  return { desk, handles };
}

describe('a page of large records', () => {
  test.each([
    ['letters', letters, 18],
    ['quotes', quotes, 9],
    ['control characters', controls, 15],
  ])('of %s ends where the next one has no room', async (_, essay, most) => {
    const { desk, handles } = await shelf(20, essay);
    const pages = await pagesFrom(desk, list('wallet'), { query: limited(20) });
    expect(handlesIn(pages)).toEqual(handles);
    expect(pages[0]?.data.length).toBeLessThanOrEqual(most);
    expect(pages.length).toBeGreaterThan(1);
    for (const { data } of pages) expect(data.length).toBeGreaterThan(0);
  });

  test('that is asked for by number says where to go on as well', async () => {
    const { desk, handles } = await shelf(40, letters);
    const second = { query: { ...limited(20), 'page.index': ['1'] } };
    const pages = await pagesFrom(desk, list('wallet'), second);
    expect(handlesIn(pages)).toEqual(handles.slice(20));
    expect(pages[0]?.page).toMatchObject({ index: 1, limit: 20 });
  });

  test.each([
    ['a filter', { 'data.custom.n.$gte': ['3'] }],
    ['words', { $plainTextQuery: ['needle'] }],
  ])('of %s does the same', async (_, query) => {
    const desk = await openDesk();
    const handles: string[] = [];
    for (let n = 0; n < 24; n += 1) {
      const custom = { n, essay: letters };
      await desk.make('intent', { handle: `i${n}`, schema: 'needle', claims: [], custom });
      if (n >= 3 || '$plainTextQuery' in query) handles.unshift(`i${n}`);
    }
    const pages = await pagesFrom(desk, list('intent'), { query: { ...limited(100), ...query } });
    expect(handlesIn(pages)).toEqual(handles);
    expect(pages.length).toBeGreaterThan(1);
  });

  test('of a history, and of what matches in it, ends there too', async () => {
    const desk = await openDesk();
    let wallet = await desk.make('wallet', { handle: 'w', custom: { essay: letters } });
    for (let n = 0; n < 30; n += 1)
      wallet = await desk.run(update('wallet'), {
        path: { id: 'w' },
        body: revision(wallet as unknown as Item, { custom: { n, essay: letters } }, desk.key),
      });
    const all = Array.from({ length: 31 }, (_, n) => 31 - n);
    for (const [query, numbers] of [
      [{}, all],
      [{ 'meta.action': ['update'] }, all.slice(0, 30)],
    ] as const) {
      const call = { path: { id: 'w' }, query: { ...limited(100), ...query } };
      const pages = await pagesFrom(desk, history('wallet'), call);
      expect(rowsIn(pages).map(({ meta }) => meta.change)).toEqual(numbers);
      expect(pages.length).toBeGreaterThan(1);
      for (const { page } of pages) expect(page).toMatchObject({ total: numbers.length });
    }
  });

  test('of the anchors of a wallet, and of a lookup among them, does too', async () => {
    const desk = await openDesk();
    await desk.make('wallet', { handle: 'w' });
    const handles: string[] = [];
    for (let n = 0; n < 25; n += 1) {
      const handle = unique('anchor');
      await desk.make('anchor', { handle, target: 't', wallet: 'w', custom: { essay: quotes } });
      handles.push(handle);
    }
    const asked = { path: { id: 'w' }, query: limited(100) };
    const pages = await pagesFrom(desk, listAnchors, asked);
    expect(handlesIn(pages).sort()).toEqual([...handles].sort());
    const body = signed({ target: 't' }, desk.key, { moment: now() });
    const found = await pagesFrom(desk, lookupAnchors, { ...asked, body });
    expect(handlesIn(found)).toEqual(handlesIn(pages));
    expect(pages.length).toBeGreaterThan(1);
  });

  test('of the domains of a wallet does too', async () => {
    const desk = await openDesk();
    const handles = Array.from({ length: 20 }, (_, n) => `d${n}`);
    for (const [n, handle] of handles.entries()) {
      const parent = n > 0 ? { domain: `d${n - 1}` } : {};
      await desk.make('domain', { handle, custom: { essay: letters }, ...parent });
    }
    await desk.make('wallet', { handle: 'w@d19' });
    const call = { path: { id: 'w@d19' }, query: limited(100) };
    const pages = await pagesFrom(desk, walletDomains, call);
    expect(handlesIn(pages)).toEqual([...handles].reverse());
    expect(pages.length).toBeGreaterThan(1);
  });
});

describe('the cursors of a list', () => {
  test('show each row once, whatever comes in meanwhile', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(12),
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.nat(12), { maxLength: 4 }),
        fc.boolean(),
        async (count, limit, added, isFiltered) => {
          const { desk, handles } = await shelf(count, 'x');
          const filter = isFiltered ? { 'data.custom.n.$gte': ['0'] } : {};
          const query = { ...limited(limit), ...filter, 'page.cursor': [''] };
          const pages = await pagesFrom(desk, list('wallet'), { query }, async (pageCount) => {
            if (added.includes(pageCount))
              await desk.make('wallet', { handle: unique('late'), custom: { n: 99 } });
          });
          expect(handlesIn(pages)).toEqual(handles);
          for (const { data } of pages.slice(0, -1)) expect(data).toHaveLength(limit);
        },
      ),
      { numRuns: runs(15) },
    );
  });

  test('are there for balances, histories and events as well', async () => {
    const desk = await openDesk();
    const wallet = await desk.make('wallet', { handle: 'w' });
    const path = { id: 'w' };
    for (let n = 0; n < 6; n += 1)
      await desk.run(prove('wallet'), { path, body: proofOf(wallet.hash, desk.key, { n }) });
    const query = { ...limited(2), 'page.cursor': [''] };
    const pages = await pagesFrom(desk, history('wallet'), { path, query });
    expect(rowsIn(pages).map(({ meta }) => meta.change)).toEqual([7, 6, 5, 4, 3, 2, 1]);
    expect(rowsIn(await pagesFrom(desk, balances, { path, query }))).toEqual([]);
    const effect = await desk.make('effect', {
      ...{ handle: 'e', signal: 'wallet-created' },
      action: { schema: 'webhook', endpoint: 'https://a.example' },
    });
    const events = await pagesFrom(desk, listEvents('effect'), {
      path: { id: effect.luid },
      query,
    });
    expect(rowsIn(events)).toEqual([]);
  });

  test('are not answered where nobody asked for one and there is room', async () => {
    const { desk } = await shelf(5, 'x');
    const { page } = await pageOf(desk, list('wallet'), { query: limited(2) });
    expect(page).toEqual({ index: 0, limit: 2 });
  });

  const place = Buffer.from('01234567$wlt.01234567890123456').toString('base64url');
  test.each<[string, Json]>([
    ['that is no cursor', { 'page.cursor': ['x'] }],
    ['of another list', { 'page.cursor': [Buffer.from('17').toString('base64url')] }],
    ['that is written twice', { 'page.cursor': [place, place] }],
    ['with more behind it', { 'page.cursor': [`${place}=`] }],
    ['beside a number', { 'page.cursor': [place], 'page.index': ['1'] }],
  ])('are refused: one %s', async (_, query) => {
    const { desk } = await shelf(1, 'x');
    await expect(desk.run(list('wallet'), { query: query as Call['query'] })).rejects.toMatchObject(
      {
        reason: 'api.query-malformed',
        custom: { parameter: 'page.cursor' },
      },
    );
  });

  test('that somebody made up lead to no more than the list has', async () => {
    const { desk } = await shelf(3, 'x');
    const query = { 'page.cursor': [Buffer.from('~'.repeat(8)).toString('base64url')] };
    await expect(desk.run(list('wallet'), { query })).rejects.toThrow('page.cursor');
    const made = Buffer.from('zzzzzzzz$wlt.zzzzzzzzzzzzzzzzz').toString('base64url');
    const { data } = await pageOf(desk, list('wallet'), { query: { 'page.cursor': [made] } });
    expect(data).toHaveLength(3);
  });
});

test('the largest record is one that Lambda carries, whatever it is made of', async () => {
  for (const essay of [letters, quotes, controls, '\\'.repeat(largest / 2)]) {
    const desk = await openDesk();
    const make = create('wallet');
    const body = signed({ handle: 'w', custom: { essay } }, desk.key);
    const record = await desk.run(make, { body });
    const result = reply(desk.services, { status: 201, body: record }, 'request');
    expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThan(lambdaBytesMax / 8);
  }
});
