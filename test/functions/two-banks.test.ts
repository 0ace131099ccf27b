/**
 * Goal: a payment between two banks, from the first word to the last, with real bridges over HTTP: it completes or
 * it leaves nothing behind, whatever a bank does. After each test both banks' books are compared with the ledger's.
 * Rulings 43 and 50 to 57.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { createKeyPair } from '@minka/ledger-sdk/crypto/src/index.js';
import { afterAll, describe, expect, test } from 'vitest';
import { type Bank, type Manners, manners, startBank } from '../fixture/bridge.ts';
import {
  type Client,
  claimOf,
  type Item,
  type Json,
  newKey,
  newLedger,
  now,
  outcomeOf,
  revision,
  signed,
} from '../fixture/client.ts';
import { pause, until } from '../fixture/receiver.ts';
import { loose, sdkOf } from '../fixture/sdk.ts';
import { sharedHome } from '../fixture/served.ts';
import { startTokenServer } from '../fixture/token-server.ts';
import { entriesOf, expectAgreement, openToAll } from '../fixture/two-banks.ts';

const owner = newKey();
const [from, to] = ['svgs:1001@blue', 'svgs:2001@green'];
const opened = {
  blue: { 1001: 70_000, 1002: 0, 3000: 10_000 },
  green: { 2001: 0, 2002: 500 },
} as const;
/** How long an intent lives where its time is soon over: long enough for the banks to do their part before. */
const expiryMinutes = 0.3;
const endMsMax = 180_000;
const pollMs = 50;

const home = await sharedHome();

/** A ledger of its own with the banks blue and green. */
async function house(config: Json = {}) {
  const ledger = await newLedger(home, owner, { config, access: openToAll });
  const bankOf = (name: keyof typeof opened) =>
    startBank({
      ...{ name, server: home.url, ledger: ledger.ledger, ledgerKey: ledger.key },
      accounts: { ...opened[name], 9: 'closed' },
    });
  const [blue, green] = [await bankOf('blue'), await bankOf('green')];
  const banks = [blue, green] as const;
  const post = (claims: readonly string[], more?: Json) => ledger.submit(owner, claims, more);
  const pay = (amount: number, target: string = to, source: string = from) =>
    post([`transfer ${source} ${target} ${amount} usd`]);
  const read = async ({ luid }: Item) => (await ledger.get(`/intents/${luid}`)).body;
  const becomes = async (intent: Item, ...statuses: readonly string[]) => {
    let latest = intent;
    await until(
      () => `${statuses}, but ${latest.meta.status}`,
      async () => {
        latest = await read(intent);
        const isSo = statuses.includes(latest.meta.status);
        if (!isSo) await pause(pollMs);
        return isSo;
      },
      endMsMax,
    );
    return latest;
  };
  const ended = (intent: Item) => becomes(intent, 'completed', 'rejected');
  const decide = async (intent: Item, status: 'committed' | 'aborted') => {
    expect((await ledger.prove('intents', intent, owner, { status })).status).toBe(200);
  };
  const ask = async ({ name, key }: Bank) => {
    const wish = signed({ maxAge: 0 }, key);
    expect((await ledger.post(`/bridges/${name}/events/retry`, wish)).status).toBe(202);
  };
  /** Both banks' books, the ledger's, and what the intents say, are the same. */
  const agree = () =>
    expectAgreement(
      ledger,
      banks.map(({ name, accounts }) => {
        const { 9: closed, ...rest } = accounts();
        expect([name, closed]).toEqual([name, { balance: 0, held: 0 }]);
        return { name, opened: opened[name as keyof typeof opened], accounts: rest };
      }),
    );
  const end = () => Promise.all(banks.map((bank) => bank.end()));
  return { ledger, blue, green, post, pay, read, becomes, ended, decide, ask, agree, end };
}

type House = Awaited<ReturnType<typeof house>>;

/** Does it in a house of its own, where all books must agree in the end. */
async function inHouse(does: (own: House) => Promise<void>, config: Json = {}): Promise<void> {
  const own = await house(config);
  try {
    await does(own);
    await own.agree();
  } finally {
    await own.end();
  }
}

/** Does it where the time of intents is soon over. */
function inHurry(does: (own: House) => Promise<void>): Promise<void> {
  return inHouse(does, { 'intent.expiryThresholdMinutes': expiryMinutes });
}

/** What is on an account, and what of it is held. */
function shown(bank: Bank, account: string): unknown {
  const row = bank.accounts()[account];
  return row && [row.balance, row.held];
}

/** What an intent waits for of bridges. */
function waitsFor({ meta }: Item) {
  const all = (meta as Json)['waiting'] as readonly Json[];
  return all.map(({ bridge, action, status }) => ({ bridge, action, status }));
}

/** What each bank said of its entry. */
function saidOf(intent: Item, ...banks: readonly Bank[]): unknown {
  return entriesOf(intent).map(({ handle, bridge }) =>
    banks.find(({ name }) => name === bridge)?.entry(handle),
  );
}

describe.concurrent('a payment', () => {
  test('completes, and is on both accounts once', () =>
    inHouse(async ({ ledger, blue, green, pay, ended }) => {
      const intent = await ended(await pay(500));
      expect(outcomeOf(intent)).toBe('completed');
      expect([shown(blue, '1001'), shown(green, '2001')]).toEqual([
        [69_500, 0],
        [500, 0],
      ]);
      expect(saidOf(intent, blue, green)).toEqual([
        ['prepared', 'committed'],
        ['prepared', 'committed'],
      ]);
      const words = intent.meta.proofs.map(
        ({ signer, custom = {} }) => `${signer ?? 'author'} ${custom['status']}`,
      );
      expect(words.slice(0, 9)).toEqual([
        'author created',
        ...['pending', 'resolved', 'resolved', 'processing'].map((status) => `system ${status}`),
        ...['blue prepared', 'green prepared'],
        ...['prepared', 'committed'].map((status) => `system ${status}`),
      ]);
      expect(words.slice(9, 11).sort()).toEqual(['blue committed', 'green committed']);
      expect(words.slice(11)).toEqual(['system completed']);
      expect(await ledger.balances('green')).toEqual({ usd: '500' });
    }));

  test('goes both ways, many at once', () =>
    inHouse(async ({ blue, green, pay, ended }) => {
      await ended(await pay(1000));
      const all = await Promise.all(
        Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? pay(7) : pay(5, from, to))),
      );
      for (const intent of all) expect(outcomeOf(await ended(intent))).toBe('completed');
      expect([shown(blue, '1001'), shown(green, '2001')]).toEqual([
        [68_980, 0],
        [1020, 0],
      ]);
    }));

  test.each([
    ['to an account that is not there', 5, 'svgs:2222@green', 'bridge.account-not-found'],
    ['to one that is closed', 5, 'svgs:9@green', 'bridge.account-inactive'],
    ['of more than there is', 70_001, to, 'bridge.account-insufficient-balance'],
  ])('%s is rejected with the reason, and nothing stays held', (_what, amount, target, why) =>
    inHouse(async ({ blue, pay, ended }) => {
      const intent = await ended(await pay(amount, target));
      expect(outcomeOf(intent)).toBe(why);
      const failed = intent.meta.proofs.find(({ custom }) =>
        String(custom?.['reason']).startsWith('core.'),
      );
      expect(failed?.custom).toMatchObject({
        reason: 'core.bridge-prepare-failed',
        detail: expect.stringContaining(why),
      });
      expect(shown(blue, '1001')).toEqual([70_000, 0]);
    }),
  );

  test('to a bank that is not there is refused before anybody is asked', () =>
    inHouse(async ({ blue, pay }) => {
      expect(outcomeOf(await pay(5, 'svgs:1@red'))).toBe('core.target-invalid');
      expect(blue.calls).toEqual([]);
    }));

  test('waits for a bank that is down, says so, and completes when it is back', () =>
    inHouse(async ({ blue, green, pay, read, ended }) => {
      await green.stop();
      const intent = await pay(500);
      await until('green was asked in vain', async () => {
        const [first] = waitsFor(await read(intent));
        return first?.bridge === 'green' && first.status === 'failed';
      });
      const waiting = await read(intent);
      expect(waitsFor(waiting)).toEqual([{ bridge: 'green', action: 'prepare', status: 'failed' }]);
      expect((waiting.meta as Json)['waiting']).toMatchObject([
        { for: 'bridge', reason: 'delivery.target-unreachable', next: expect.any(String) },
      ]);
      expect(shown(blue, '1001')).toEqual([70_000, 500]);
      await green.start();
      expect(outcomeOf(await ended(intent))).toBe('completed');
    }));

  test('that is decided is carried out by a bank that was down since', () =>
    inHouse(async ({ green, pay, becomes, ended }) => {
      green.behave({ call: ({ action }) => (action === 'commit' ? { status: 503 } : 'take') });
      const intent = await becomes(await pay(500), 'committed');
      await green.stop();
      expect(shown(green, '2001')).toEqual([0, 0]);
      await until('only green has still to commit', async () => {
        const waits = waitsFor(await becomes(intent, 'committed'));
        return waits.length === 1 && waits[0]?.bridge === 'green' && waits[0].action === 'commit';
      });
      await green.start();
      green.behave();
      expect(outcomeOf(await ended(intent))).toBe('completed');
    }));

  test('is reported by a bank that was stopped before it could', () =>
    inHouse(async ({ blue, pay, ended }) => {
      blue.behave(manners.silent);
      const intent = await pay(500);
      await until('blue has it', () => blue.reports.length > 0);
      await blue.stop();
      blue.behave();
      await blue.start();
      expect(outcomeOf(await ended(intent))).toBe('completed');
    }));
});

describe.concurrent('a bank that', () => {
  test.each([
    ['hears and says everything twice', manners.twice],
    ['does what it is asked, and answers with an error', manners.confused(500)],
  ])('%s moves nothing twice', (_what, manner) =>
    inHouse(async ({ blue, green, pay, ended }) => {
      blue.behave(manner);
      green.behave(manner);
      expect(outcomeOf(await ended(await pay(500)))).toBe('completed');
      expect([shown(blue, '1001'), shown(green, '2001')]).toEqual([
        [69_500, 0],
        [500, 0],
      ]);
    }),
  );

  test.each<[string, Json]>([
    ['says that it has committed what it was asked to prepare', { status: 'committed' }],
    ['speaks of an entry that is not', { handle: 'cre_12345678901234567' }],
    ['says what nobody knows', { status: 'maybe' }],
  ])('%s is not believed, and the payment ends with its time', (_what, lie) =>
    inHurry(async ({ green, pay, ended }) => {
      green.behave(lyingOf('prepared', lie));
      expect(outcomeOf(await ended(await pay(500)))).toBe('core.intent-expired');
    }),
  );

  test('says something else than that it has committed is asked again by its owners', () =>
    inHouse(async ({ green, pay, becomes, ended, ask }) => {
      green.behave(lyingOf('committed', { status: 'failed', reason: 'bridge.lie' }));
      const intent = await becomes(await pay(500), 'committed');
      // What is not known to be delivered yet is not asked again.
      const delivered = [{ bridge: 'green', action: 'commit', status: 'delivered' }];
      await until('all but green is done, and it has lied', async () => {
        const waits = waitsFor(await becomes(intent, 'committed'));
        const hasLied = green.reports.some(({ custom }) => custom['status'] === 'committed');
        return hasLied && isDeepStrictEqual(waits, delivered);
      });
      green.behave();
      await ask(green);
      expect((await ended(intent)).meta.status).toBe('completed');
      expect(shown(green, '2001')).toEqual([500, 0]);
    }));

  test.each<[string, Manners, string]>([
    ['takes the call and does nothing', manners.deaf, 'core.intent-expired'],
    ['does it and does not say so', manners.silent, 'core.intent-expired'],
    ['answers with an error', manners.failing(500), 'core.bridge-unreachable'],
    ['never answers', manners.hanging, 'core.bridge-unreachable'],
  ])('%s fails the payment with its time', (_what, manner, reason) =>
    inHurry(async ({ ledger, blue, green, pay, becomes, ended, ask }) => {
      green.behave(manner);
      const intent = await becomes(await pay(500), 'aborted', 'rejected');
      expect(outcomeOf(intent)).toBe(reason);
      await until('blue has let it go', () => String(shown(blue, '1001')) === '70000,0');
      // A call is sent again once it is stored: after an answer, or when none comes at once.
      await until('the call of green is stored', async () => {
        const { items } = await ledger.get('/bridges/green/events?data.action=abort');
        return items.length > 0;
      });
      green.behave();
      await ask(green);
      expect((await ended(intent)).meta.status).toBe('rejected');
    }),
  );

  test('is down until the time is over fails the payment, and has nothing to undo', () =>
    inHurry(async ({ blue, green, pay, becomes, ended }) => {
      await green.stop();
      const intent = await becomes(await pay(500), 'aborted', 'rejected');
      expect(outcomeOf(intent)).toBe('core.bridge-unreachable');
      await until('blue has let it go', () => String(shown(blue, '1001')) === '70000,0');
      await green.start();
      expect((await ended(intent)).meta.status).toBe('rejected');
      expect(green.calls.map(({ action }) => action)).not.toContain('commit');
    }));

  test('says prepared when it is too late changes nothing', () =>
    inHurry(async ({ blue, green, pay, ended }) => {
      green.answerAfterAbort();
      const intent = await ended(await pay(500));
      expect(outcomeOf(intent)).toBe('core.intent-expired');
      expect(saidOf(intent, blue, green)).toEqual([
        ['prepared', 'aborted'],
        ['prepared', 'aborted'],
      ]);
    }));

  test('takes back after the decision what it has prepared is held to it', () =>
    inHouse(async ({ green, pay, becomes, ended }) => {
      green.behave({ call: ({ action }) => (action === 'commit' ? { status: 503 } : 'take') });
      const intent = await becomes(await pay(500), 'committed');
      const [, credit] = entriesOf(intent);
      for (const said of [
        { status: 'failed', reason: 'bridge.rejected' },
        { status: 'aborted' },
        { status: 'prepared' },
      ])
        expect(await green.report(intent, { handle: credit?.handle, ...said, moment: now() })).toBe(
          200,
        );
      expect((await becomes(intent, 'committed')).meta.status).toBe('committed');
      green.behave();
      expect((await ended(intent)).meta.status).toBe('completed');
    }));
});

/** Says something else where it should report this status. */
function lyingOf(status: string, lie: Json): Manners {
  return {
    report: ({ custom }) =>
      custom['status'] === status ? { custom: { ...custom, ...lie } } : 'send',
  };
}

test.concurrent('a bank that asks for tokens is called with one', () =>
  inHouse(async ({ ledger, green, pay, ended }) => {
    const [clientId, clientSecret] = ['ledger', 't0ken-s3cret'];
    const login = await startTokenServer(clientId, clientSecret);
    const { body: bridge } = await ledger.get('/bridges/green');
    const rule = { schema: 'oauth2', clientId, clientSecret: '{{ secret.oauth }}' };
    const update = revision(bridge, { secure: [{ ...rule, tokenUrl: login.url }] }, green.key);
    const meta = { ...update.meta, secret: { oauth: clientSecret } };
    expect((await ledger.put('/bridges/green', { ...update, meta })).status).toBe(200);
    const isKnown = (shown?: string) => login.given.some((token) => shown === `Bearer ${token}`);
    green.behave({
      call: ({ authorization }) => (isKnown(authorization) ? 'take' : { status: 401 }),
    });
    expect(outcomeOf(await ended(await pay(500)))).toBe('completed');
    expect(login.given).toHaveLength(1);
    expect(green.calls.every(({ authorization }) => isKnown(authorization))).toBe(true);
    await login.stop();
  }));

describe.concurrent('a payment that somebody has to decide', () => {
  const manual = { config: { commit: 'manual' } };
  const claim = `transfer ${from} ${to} 500 usd`;

  test('is held at both banks until it is committed', () =>
    inHouse(async ({ blue, green, post, becomes, ended, decide }) => {
      const intent = await becomes(await post([claim], manual), 'prepared');
      expect([shown(blue, '1001'), shown(green, '2001')]).toEqual([
        [70_000, 500],
        [0, 0],
      ]);
      expect((intent.meta as Json)['waiting']).toMatchObject([{ for: 'decision' }]);
      await decide(intent, 'committed');
      expect(outcomeOf(await ended(intent))).toBe('completed');
    }));

  test('is let go at both when it is aborted', () =>
    inHouse(async ({ blue, green, post, becomes, ended, decide }) => {
      const intent = await becomes(await post([claim], manual), 'prepared');
      await decide(intent, 'aborted');
      expect((await ended(intent)).meta.status).toBe('rejected');
      expect(saidOf(intent, blue, green)).toEqual([
        ['prepared', 'aborted'],
        ['prepared', 'aborted'],
      ]);
    }));

  test('is let go at both when nobody decides in time', () =>
    inHurry(async ({ post, ended }) => {
      const intent = await ended(await post([claim], manual));
      expect(outcomeOf(intent)).toBe('core.intent-expired');
    }));
});

test.concurrent('claims that a bank takes together are one entry at it', () =>
  inHouse(async ({ ledger, blue, green, post, ended }) => {
    const { body: bridge } = await ledger.get('/bridges/green');
    const config = {
      ...(bridge.data['config'] as Json),
      'credits.claims.groupBy': 'address',
    };
    await ledger.put('/bridges/green', revision(bridge, { config }, green.key));
    const claims = [7, 8, 9].map((amount) => `transfer ${from} ${to} ${amount} usd`);
    const intent = await ended(await post([...claims, `transfer ${from} svgs:2002@green 1 usd`]));
    expect(outcomeOf(intent)).toBe('completed');
    const entries = entriesOf(intent).map(({ bridge: at, amount, inputs }) => [at, amount, inputs]);
    expect(entries.filter(([at]) => at === 'green')).toEqual([
      ['green', 24, [0, 1, 2]],
      ['green', 1, [3]],
    ]);
    expect(entries.filter(([at]) => at === 'blue')).toHaveLength(4);
    const prepares = (bank: Bank) => bank.calls.filter(({ action }) => action === 'prepare').length;
    expect([prepares(blue), prepares(green)]).toEqual([4, 2]);
  }));

describe.concurrent('money that is forwarded between two banks', () => {
  /** Pays to a wallet that forwards to an address; the further intent of the thread is the other one. */
  const payThrough = async ({ ledger, pay }: House, wallet: Json, target: string) => {
    const routes = [{ action: 'forward', target }];
    await ledger.make('wallets', { ...wallet, routes }, owner);
    const intent = await pay(500, String(wallet['handle']));
    const { items } = await ledger.get('/intents');
    const others = items.filter(({ luid }) => luid !== intent.luid);
    expect(others).toHaveLength(1);
    return [intent, others[0] as Item] as const;
  };
  const ways: readonly (readonly [string, Json])[] = [
    ['a wallet of the ledger', { handle: 'hub' }],
    ['a wallet at the first bank', { handle: 'svgs:3000@blue', bridge: 'blue' }],
  ];

  test.each(ways)('through %s is paid as one', (_what, wallet) =>
    inHouse(async (own) => {
      const { blue, green, ended } = own;
      const [intent, further] = await payThrough(own, wallet, to);
      expect(further.data['claims']).toEqual([
        claimOf(`transfer ${String(wallet['handle'])} ${to} 500 usd`),
      ]);
      const both = [await ended(intent), await ended(further)];
      expect(both.map(outcomeOf)).toEqual(['completed', 'completed']);
      expect([shown(blue, '1001'), shown(blue, '3000'), shown(green, '2001')]).toEqual([
        [69_500, 0],
        [10_000, 0],
        [500, 0],
      ]);
    }),
  );

  test.each(ways)('through %s fails as one', (_what, wallet) =>
    inHouse(async (own) => {
      const { blue, ended } = own;
      const [intent, further] = await payThrough(own, wallet, 'svgs:9@green');
      const both = [await ended(intent), await ended(further)];
      expect(both.map(({ meta }) => meta.status)).toEqual(['rejected', 'rejected']);
      expect(both.map(outcomeOf)).toContain('bridge.account-inactive');
      expect([shown(blue, '1001'), shown(blue, '3000')]).toEqual([
        [70_000, 0],
        [10_000, 0],
      ]);
    }),
  );

  test('is decided as one', () =>
    inHouse(async ({ ledger, post, becomes, decide, ended, blue }) => {
      const routes = [{ action: 'forward', target: to }];
      await ledger.make('wallets', { handle: 'hub', routes }, owner);
      const manual = { config: { commit: 'manual' } };
      const intent = await post([`transfer ${from} hub 500 usd`], manual);
      await becomes(intent, 'prepared');
      expect(shown(blue, '1001')).toEqual([70_000, 500]);
      await decide(intent, 'committed');
      const { items } = await ledger.get('/intents');
      const both = [await ended(items[0] as Item), await ended(items[1] as Item)];
      expect(both.map(outcomeOf)).toEqual(['completed', 'completed']);
    }));
});

test.concurrent('the public client makes a payment between two banks, reads it and believes it', () =>
  inHouse(async ({ ledger, blue, green, becomes }) => {
    const keyPair = await createKeyPair();
    const sdk = sdkOf(home.url, ledger.key, ledger.ledger);
    const handle = sdk.handle.unique();
    const claims = [{ action: 'transfer', source: from, target: to, symbol: 'usd', amount: 500 }];
    const builder = sdk.intent.init().data(loose({ handle, claims }));
    const { response } = await builder.hash().sign([{ keyPair }]).send();
    expect(response.data.meta.status).toBe('processing');
    await becomes(response.data as unknown as Item, 'completed');
    const { response: read } = await sdk.intent.read(handle);
    expect(read.data.meta.status).toBe('completed');
    const said = (read.data.meta.proofs ?? []).map(({ custom }) => String(custom?.['status']));
    expect(said.at(-1)).toBe('completed');
    expect([shown(blue, '1001'), shown(green, '2001')]).toEqual([
      [69_500, 0],
      [500, 0],
    ]);
  }));

describe.concurrent('npm run pay', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const run = async (...words: readonly string[]) => {
    const node = [
      '--import',
      'tsx',
      'localstack/command/main.ts',
      'pay',
      ...words,
      '--key',
      keyPath,
    ];
    const child = spawn(process.execPath, node, {
      env: { ...process.env, COUNTERSIGN_CONFIG: folder },
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [out, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
    return { code: code as number | null, out };
  };
  const folder = mkdtempSync(join(tmpdir(), 'countersign-pay-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const keyPath = join(folder, 'payer.key');
  writeFileSync(keyPath, randomBytes(32).toString('base64'), { mode: 0o600 });
  const at = ({ url, ledger }: Client) => ['--server', url, '--ledger', String(ledger)];

  test('prints who says what of the payment, and ends with 0 when it is paid', () =>
    inHouse(async ({ ledger, blue, green }) => {
      const { code, out } = await run(from, to, '5', 'usd', ...at(ledger));
      expect([code, out.split('\n').at(-2)]).toEqual([
        0,
        expect.stringMatching(/ is completed\.$/),
      ]);
      const lines = out.split('\n').slice(1, -2);
      const words = lines.map((line) => /^ {2}\S+ {2}(\w+) +(\w+)/.exec(line)?.slice(1).join(' '));
      expect(words.slice(0, 5)).toEqual([
        'you created',
        ...['pending', 'resolved', 'resolved', 'processing'].map((status) => `system ${status}`),
      ]);
      expect(words).toEqual(expect.arrayContaining(['blue prepared', 'green committed']));
      expect(out).not.toMatch(/ $/m);
      expect([shown(blue, '1001'), shown(green, '2001')]).toEqual([
        [69_500, 0],
        [500, 0],
      ]);
    }));

  test('ends with 1 and the reason when it is not paid', () =>
    inHouse(async ({ ledger }) => {
      const { code, out } = await run(from, 'svgs:2222@green', '5.00', 'usd', ...at(ledger));
      expect(code).toBe(1);
      expect(out).toContain('bridge.account-not-found: green has no account 2222 in usd.\n');
      expect(out).toMatch(/ is rejected: core\.bridge-prepare-failed: .+\n$/);
    }));
});
