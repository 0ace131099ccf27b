/**
 * Goal: a table that release 0.1 wrote is opened, audited, upgraded and used by this release, and says what it said
 * then. Method: a copy of that table, with the clock of the time at which it was left, and commands of users alone.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { verifyReceipt } from '../../shared/client/receipt.ts';
import {
  type Client,
  claimOf,
  clientOf,
  farewell,
  type Item,
  type Json,
  type Key,
  outcomeOf,
  revision,
  signed,
} from '../fixture/client.ts';
import { setClock } from '../fixture/clock.ts';
import { ask, basicOf } from '../fixture/oauth.ts';
import { entriesOf } from '../fixture/payment.ts';
import { type Arrival, assertWebhook, startReceiver, until } from '../fixture/receiver.ts';
import {
  answered,
  comparedIn,
  kept,
  keyOfSigner,
  restoreData,
  short,
  writeArchive,
} from '../fixture/release.ts';
import { assertSilent, command, type Runtime, start } from '../fixture/runtime.ts';
import { bearing } from '../fixture/token.ts';

const work = mkdtempSync(join(tmpdir(), 'countersign-release-'));
const clock = setClock();
const receiver = await startReceiver();
afterAll(async () => {
  await receiver.stop();
  clock.remove();
  rmSync(work, { recursive: true });
});

const dayMs = 86_400_000;
const True = Date;
let aheadMs = Date.parse(kept.moment) - Date.now();
await clock.set(aheadMs);
/** Moves both clocks on. */
const pass = async (ms: number) => {
  aheadMs += ms;
  await clock.set(aheadMs);
};
/** The time here is that of the runtime, since whoever signs says when. */
vi.stubGlobal(
  'Date',
  class extends True {
    constructor(...parts: ConstructorParameters<typeof True> | []) {
      if (parts.length > 0) super(...(parts as [string]));
      else super(True.now() + aheadMs);
    }
    static override now(): number {
      return True.now() + aheadMs;
    }
  },
);
afterAll(() => vi.unstubAllGlobals());

const [owner, ann, bob] = [keyOfSigner('owner'), keyOfSigner('ann'), keyOfSigner('bob')];
const [blue, green] = [keyOfSigner('blue'), keyOfSigner('green')];
const { env } = clock;
const data = join(work, 'data');
mkdirSync(data);
restoreData(data);
const run = (name: string, folder: string, ...words: string[]) =>
  command(name, folder, { words, env });
const inOrder = { code: 0, said: expect.stringContaining('The ledger is in order') };

const mainOf = ({ url }: Runtime) => clientOf(url, kept.ledgers.main);
const branchOf = ({ url }: Runtime) => clientOf(url, kept.ledgers.branch, 'branch');

/** Expects that a ledger says what the release said of it. */
async function expectAsThen(ledger: Client, name: 'main' | 'branch'): Promise<void> {
  // Members may be added to answers; none changes.
  for await (const [now, then] of comparedIn(ledger, answered[name], bearing(owner)))
    expect(withoutLog(now)).toMatchObject(then as object);
  const { balances, statuses } = short[name];
  const rows = async (wallet: string) =>
    (await ledger.get(`/wallets/${encodeURIComponent(wallet)}/balances`, bearing(owner))).items.map(
      ({ data: { schema, amount, symbol } }) => `${schema} ${amount} ${symbol}`,
    );
  for (const [wallet, amounts] of Object.entries(balances))
    expect([wallet, await rows(wallet)]).toEqual([wallet, amounts]);
  const { items } = await ledger.get('/intents?page.limit=100', bearing(owner));
  expect(
    Object.fromEntries(items.map(({ data: { handle }, meta }) => [handle, meta.status])),
  ).toEqual(statuses);
}

/** Runs the ledger on a folder for as long as something is done with it. */
async function running(folder: string, use: (runtime: Runtime) => Promise<void>): Promise<void> {
  const runtime = await start({ data: folder, env });
  try {
    await use(runtime);
  } finally {
    await runtime.stop();
  }
  assertSilent(runtime.complaints);
}

describe('the table of release 0.1', () => {
  test('is in order, opens, and says what it said', async () => {
    expect(await run('audit', data)).toEqual(inOrder);
    await running(data, async (runtime) => {
      expect(runtime.key).toBe(kept.ledgers.main);
      await expectAsThen(mainOf(runtime), 'main');
      await expectAsThen(branchOf(runtime), 'branch');
    });
  });

  test('is the same after its upgrade', async () => {
    expect(await run('reindex', data)).toMatchObject({ code: 0 });
    expect(await run('audit', data)).toEqual(inOrder);
    await running(data, async (runtime) => {
      await expectAsThen(mainOf(runtime), 'main');
      await expectAsThen(branchOf(runtime), 'branch');
    });
  });

  test('goes on: all that was there can be used', async () => {
    await running(data, async (runtime) => {
      const ledger = mainOf(runtime);
      await expectWaitingToEnd(ledger);
      await expectRecordsToServe(ledger);
      await expectTokensToHold(ledger);
      await expectDeliveries(ledger);
      const branch = branchOf(runtime);
      const gift = await branch.settle(owner, 'transfer alice dora 6 pts');
      expect(gift.meta.status).toBe('completed');
      expect(await branch.balances('dora')).toEqual({ pts: '10' });
      // The moment has come; an hour later it would have expired.
      await pass(10 * dayMs);
      await until(
        'scheduled',
        async () => (await read(ledger, '/intents/scheduled')).meta.status === 'completed',
      );
    });
    expect(await run('audit', data)).toEqual(inOrder);
    await pass(-10 * dayMs);
  });
});

describe('its keys', () => {
  const receipts: Record<'before' | 'after', string> = { before: '', after: '' };
  const receiptOf = async ({ url }: Runtime, handle: string): Promise<string> => {
    let text = '';
    await until(`a receipt of ${handle}`, async () => {
      text = await (await fetch(`${url}/intents/${handle}/receipt`, bearing(owner))).text();
      return !text.includes('record.not-found');
    });
    return text;
  };
  const newest = { main: '', branch: '' };

  // Later than all that was signed.
  beforeAll(() => pass(10 * dayMs));
  afterAll(() => pass(-10 * dayMs));

  test('rotate, both of each ledger', async () => {
    await running(data, async (runtime) => {
      receipts.before = await receiptOf(runtime, 'new');
    });
    for (const name of ['main', 'branch'] as const)
      for (const signer of ['log', 'system']) {
        const { code, said } = await run('rotate-key', data, name, signer, '--json');
        expect([code, said]).toEqual([0, expect.stringContaining('"newest"')]);
        newest[name] = JSON.parse(said.slice(said.indexOf('{'))).newest.public;
      }
    expect(await run('audit', data)).toEqual(inOrder);
  });

  test('sign on: the ledgers are used by the old key and by the new one, and receipts verify', async () => {
    await running(data, async (runtime) => {
      expect(runtime.key).toBe(newest.main);
      for (const key of [kept.ledgers.main, newest.main]) {
        const ledger = clientOf(runtime.url, key);
        expect(
          outcomeOf(
            await pay(
              ledger,
              `rotated-${key.slice(0, 4).replaceAll(/\W/g, '')}`,
              'transfer alice savings 1 usd',
            ),
          ),
        ).toBe('completed');
        expect((await read(ledger, '/intents/rent')).meta.status).toBe('completed');
      }
      for (const key of [kept.ledgers.branch, newest.branch])
        expect(await clientOf(runtime.url, key, 'branch').balances('dora')).toEqual({ pts: '10' });
      expect(outcomeOf(await pay(mainOf(runtime), 'after', 'transfer alice savings 1 usd'))).toBe(
        'completed',
      );
      receipts.after = await receiptOf(runtime, 'after');
      const system = JSON.parse(await (await fetch(`${runtime.url}/signers/system`)).text());
      for (const key of [kept.ledgers.main, newest.main]) {
        expect(verifyReceipt(receipts.before, { key, signer: system }).faults).toEqual([]);
        expect(verifyReceipt(receipts.after, { key }).faults).toEqual([]);
        expect(verifyReceipt(await receiptOf(runtime, 'rent'), { key }).faults).toEqual([]);
      }
    });
    expect(await run('audit', data)).toEqual(inOrder);
  });

  test('travel with an archive', async () => {
    const [file, passphrase, made] = ['rotated.ndjson', 'own-passphrase', 'rotated'].map((name) =>
      join(work, name),
    ) as [string, string, string];
    writeFileSync(passphrase, 'a long enough passphrase');
    const words = ['--out', file, '--with-key', passphrase];
    expect(await run('export', data, ...words)).toMatchObject({ code: 0 });
    expect(await run('audit', data, file)).toEqual(inOrder);
    expect(await run('import', made, file, '--passphrase', passphrase)).toMatchObject({ code: 0 });
    expect(await run('audit', made)).toEqual(inOrder);
    await running(made, async (runtime) => {
      expect(runtime.key).toBe(newest.main);
      expect((await read(mainOf(runtime), '/intents/after')).meta.status).toBe('completed');
    });
  });
});

/** An answer without the signer of the log, which the upgrade has made. */
function withoutLog(answer: unknown): unknown {
  const { data, page, ...more } = answer as { data?: unknown; page?: { total?: number } };
  if (!Array.isArray(data)) return answer;
  const isLog = ({ luid, data: said }: Item) => luid?.startsWith('$snr.') && said.handle === 'log';
  const others = data.filter((item) => !isLog(item as Item));
  const fewer = data.length - others.length;
  const counted = page?.total === undefined ? page : { ...page, total: page.total - fewer };
  return { ...more, data: others, ...(page && { page: counted }) };
}

async function read(ledger: Client, path: string): Promise<Item> {
  const { status, body, text } = await ledger.get(path, bearing(owner));
  expect([status, text]).toEqual([200, text]);
  return body;
}

const pay = (
  ledger: Client,
  handle: string,
  claim: string,
  more: Json = {},
  by: Key | readonly Key[] = owner,
) => ledger.make('intents', { handle, claims: [claimOf(claim)], ...more }, by);

/** What waited for a bank, a decision or a person ends as it would have. */
async function expectWaitingToEnd(ledger: Client): Promise<void> {
  const prove = async (handle: string, by: Key, custom: Json) =>
    outcomeOf(
      (await ledger.prove('intents', await read(ledger, `/intents/${handle}`), by, custom)).body,
    );
  const entries = entriesOf(await read(ledger, '/intents/waits-for-bank'));
  const debit = (status: string) =>
    prove('waits-for-bank', blue, { handle: entries['debit b'], status });
  const credit = (status: string) =>
    prove('waits-for-bank', green, { handle: entries['credit g'], status });
  expect(await credit('prepared')).toBe('committed');
  expect([await debit('committed'), await credit('committed')]).toEqual(['committed', 'completed']);
  const capture = [{ claim: 0, amount: 30 }];
  expect(await prove('held', owner, { status: 'committed', capture })).toBe('completed');
  expect(await prove('held-too', owner, { status: 'aborted' })).toBe('rejected');
  expect(await prove('waits-for-second', bob, { status: 'approved' })).toBe('completed');
}

/** Old wallets, symbols, policies, routes, limits and histories are used by new requests. */
async function expectRecordsToServe(ledger: Client): Promise<void> {
  const paid = await pay(ledger, 'new', 'transfer alice savings 55 usd');
  expect(paid.meta.status).toBe('completed');
  expect(outcomeOf(await pay(ledger, 'spent-too', 'transfer shared carol 3 usd', {}, bob))).toBe(
    'completed',
  );
  expect(outcomeOf(await pay(ledger, 'large', 'transfer rich alice 5000 usd'))).toBe('pending');
  const undone = { reverses: 'rent' };
  expect(outcomeOf(await pay(ledger, 'undone', 'transfer bert alice 60 usd', undone))).toBe(
    'completed',
  );
  expect(outcomeOf(await pay(ledger, 'undone-twice', 'transfer bert alice 60 usd', undone))).toBe(
    'core.reversal-exceeded',
  );
  expect(outcomeOf(await pay(ledger, 'cold', 'transfer alice iced 1 usd'))).toBe(
    'core.target-inactive',
  );
  const iced = await read(ledger, '/wallets/iced');
  expect((await ledger.prove('wallets', iced, owner, { status: 'active' })).status).toBe(200);
  expect(outcomeOf(await pay(ledger, 'warm', 'transfer alice iced 1 usd'))).toBe('completed');
  const till = await read(ledger, '/wallets/till@acme');
  expect((await ledger.post(`/wallets/${till.luid}/drop`, farewell(till, owner))).reason).toBe(
    'record.drop-rejected',
  );
  const again = await ledger.post('/wallets', signed({ handle: 'alice' }, owner));
  expect(again.reason).toBe('record.duplicated');
  const month = { handle: 'odd', schema: 'monthly', custom: {} };
  expect((await ledger.post('/reports', signed(month, owner))).reason).toBe(
    'record.schema-invalid',
  );
  const report = await read(ledger, '/reports/november');
  const done = await ledger.prove('reports', report, owner, { status: 'completed' });
  expect(done.body.meta.status).toBe('completed');
}

/** An old signer's token, an old client's credentials, an old file of a report. */
async function expectTokensToHold(ledger: Client): Promise<void> {
  expect((await ledger.get('/wallets/alice', bearing(ann))).status).toBe(200);
  expect((await ledger.get('/wallets/alice', bearing(keyOfSigner('cat')))).status).toBe(403);
  expect((await ledger.get('/wallets/alice')).status).toBe(401);
  const { clientId: id, clientSecret: secret } = kept.client;
  const authorization = basicOf({ id, secret });
  const { status, body } = await ask(
    ledger,
    { grant_type: 'client_credentials' },
    { authorization },
  );
  expect(status).toBe(200);
  const token = { headers: { authorization: `Bearer ${body['access_token']}` } };
  expect((await ledger.get('/wallets/alice', token)).status).toBe(200);
  const path = '/reports/statement/assets/wallet_statement.csv';
  const file = await fetch(`${ledger.url}${path}`, bearing(owner));
  expect(await file.text()).toBe(answered.asset);
}

/** The usd that a wallet has available. */
async function usdOf(ledger: Client, wallet: string): Promise<number> {
  const { items } = await ledger.get(`/wallets/${wallet}/balances`, bearing(owner));
  const row = items.find(
    ({ data: { schema, symbol } }) => schema === 'available' && symbol === 'usd',
  );
  return Number(row?.data['amount']);
}

/** What nobody heard is sent to a new address, and old effects hear what happens now. */
async function expectDeliveries(ledger: Client): Promise<void> {
  const moved = async (handle: string) => {
    const effect = await read(ledger, `/effects/${handle}`);
    const action = { schema: 'webhook', endpoint: receiver.at(`/${handle}`) };
    const reply = await ledger.put(`/effects/${effect.luid}`, revision(effect, { action }, owner));
    expect([reply.status, reply.text]).toEqual([200, reply.text]);
  };
  for (const handle of ['heard', 'unheard', 'monitor']) await moved(handle);
  const { items } = await ledger.get('/effects/unheard/events?page.limit=100', bearing(owner));
  const old = items.map(({ data: { handle } }) => handle);
  const retry = await ledger.post('/effects/unheard/events/retry', signed({ maxAge: 60 }, owner));
  expect([retry.status, retry.text]).toEqual([202, retry.text]);
  const alice = await read(ledger, '/wallets/alice');
  const change = { custom: { note: 'fourth version' } };
  const updated = await ledger.put(`/wallets/${alice.luid}`, revision(alice, change, owner));
  expect(updated.status).toBe(200);
  // So much that two have to sign.
  const claim = `destroy bert ${(await usdOf(ledger, 'bert')) - 10} usd`;
  const fallen = await pay(ledger, 'falls', claim, {}, [owner, ann, bob]);
  expect(outcomeOf(fallen)).toBe('completed');
  const handlesAt = (path: string) => receiver.arrivals(path).map(({ handle }) => handle);
  await until(
    () => `${old.length} old events, where there are ${handlesAt('/unheard').length}`,
    () => old.every((handle) => handlesAt('/unheard').includes(handle)),
  );
  const [event] = (await receiver.until('/heard', 1)) as [Arrival];
  expect(event.data['wallet']).toMatchObject({ data: change });
  await receiver.until('/monitor', 1);
  for (const arrival of receiver.arrivals()) assertWebhook(arrival, ledger.key);
}

test('the archive of release 0.1 is in order, and becomes the same ledger in an empty folder', async () => {
  const [file, passphrase, made] = ['main.ndjson', 'passphrase', 'made'].map((name) =>
    join(work, name),
  ) as [string, string, string];
  writeArchive(file, passphrase);
  expect(await run('audit', made, file)).toEqual(inOrder);
  expect(await run('import', made, file, '--passphrase', passphrase)).toMatchObject({ code: 0 });
  expect(await run('audit', made)).toEqual(inOrder);
  await running(made, async (runtime) => expectAsThen(mainOf(runtime), 'main'));
});
