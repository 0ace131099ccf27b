/**
 * Goal: whatever is asked in whatever order, each intent ends as a bookkeeper with a pencil would have it
 * end, for the same reason, and the wallets hold the same in the end. Method: random pages of commands,
 * each against a new ledger and against a model that knows nothing but a table of amounts.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Claim, type Command, expectedOf, type Model } from '../fixture/bookkeeper.ts';
import {
  type Client,
  clientOf,
  farewell,
  type Item,
  newKey,
  newLedger,
  outcomeOf,
  type Reply,
  revision,
  signed,
} from '../fixture/client.ts';
import type { Runtime } from '../fixture/runtime.ts';
import { served } from '../fixture/served.ts';

let runtime: Runtime;
let home: Client;
const key = newKey();

served((started) => {
  runtime = started;
  home = clientOf(runtime.url, runtime.key);
});

/** Sends one command and says in one word how it ended. */
function sender(ledger: Client): (command: Command) => Promise<string> {
  let intents = 0;
  let last = signed({ handle: 'none' }, key);
  const word = ({ status, reason }: { status: number; reason: unknown }) =>
    status < 300 ? String(status) : String(reason);
  const found = async (handle: string, then: (item: Item) => Promise<Reply>): Promise<string> => {
    const { status, body } = await ledger.get(`/wallets/${handle}`);
    return status === 200 ? word(await then(body)) : 'record.not-found';
  };
  return async (command) => {
    switch (command.do) {
      case 'wallet':
        return word(await ledger.post('/wallets', signed({ handle: command.handle }, key)));
      case 'symbol':
        return word(
          await ledger.post('/symbols', signed({ handle: command.handle, factor: 1 }, key)),
        );
      case 'drop':
        return found(command.handle, (item) =>
          ledger.send('DELETE', `/wallets/${command.handle}`, farewell(item, key)),
        );
      case 'rename':
        return found(command.handle, (item) =>
          ledger.put(`/wallets/${item.luid}`, revision(item, { handle: command.to }, key)),
        );
      case 'settle': {
        intents += 1;
        last = signed({ handle: `intent-${intents}`, claims: command.claims.map(sentOf) }, key);
        const reply = await ledger.post('/intents', last);
        return reply.status === 201 ? String(outcomeOf(reply.body)) : word(reply);
      }
      case 'repeat':
        return intents === 0 ? 'record.duplicated' : word(await ledger.post('/intents', last));
    }
  };
}

function sentOf({ action, source, target, symbol, amount }: Claim): object {
  return {
    action,
    ...(action !== 'issue' && { source }),
    ...(action !== 'destroy' && { target }),
    symbol,
    amount,
  };
}

const wallets = ['ann', 'bob', 'cat', 'dan'];
const symbols = ['eur', 'usd'];
const wallet = fc.constantFrom(...wallets);
const party = fc.oneof(
  { weight: 30, arbitrary: wallet },
  { weight: 1, arbitrary: fc.constant('nobody') },
);
const claim: fc.Arbitrary<Claim> = fc.record({
  action: fc.constantFrom('issue', 'transfer', 'transfer', 'destroy'),
  source: party,
  target: party,
  symbol: fc.oneof(
    { weight: 30, arbitrary: fc.constantFrom(...symbols) },
    { weight: 1, arbitrary: fc.constant('nothing') },
  ),
  amount: fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: 1, max: 9 }) },
    { weight: 1, arbitrary: fc.constant(Number.MAX_SAFE_INTEGER) },
  ),
});
const settle = fc.oneof(
  { weight: 3, arbitrary: fc.array(claim, { minLength: 1, maxLength: 1 }) },
  { weight: 1, arbitrary: fc.array(claim, { minLength: 2, maxLength: 6 }) },
);
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 12, arbitrary: settle.map((claims) => ({ do: 'settle' as const, claims })) },
  { weight: 3, arbitrary: wallet.map((handle) => ({ do: 'wallet' as const, handle })) },
  { weight: 2, arbitrary: wallet.map((handle) => ({ do: 'drop' as const, handle })) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('rename' as const), handle: wallet, to: wallet }),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...symbols).map((handle) => ({ do: 'symbol' as const, handle })),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'repeat' as const }) },
);
/** Most pages begin with something to work with. */
const opening: readonly Command[] = [
  { do: 'symbol', handle: 'eur' },
  { do: 'symbol', handle: 'usd' },
  { do: 'wallet', handle: 'ann' },
  { do: 'wallet', handle: 'bob' },
  { do: 'wallet', handle: 'cat' },
  {
    do: 'settle',
    claims: ['eur', 'usd'].map((symbol) => ({
      action: 'issue' as const,
      source: '',
      target: 'ann',
      symbol,
      amount: 30,
    })),
  },
];
const page = fc
  .record({
    isOpened: fc.oneof(
      { weight: 9, arbitrary: fc.constant(true) },
      { weight: 1, arbitrary: fc.constant(false) },
    ),
    commands: fc.array(command, { minLength: 10, maxLength: 50, size: 'max' }),
  })
  .map(({ isOpened, commands }) => [...(isOpened ? opening : []), ...commands]);

async function holdsFor(commands: readonly Command[]): Promise<void> {
  const ledger = await newLedger(home, key);
  const send = sender(ledger);
  const model: Model = { wallets: new Map(), symbols: new Set() };
  for (const [index, one] of commands.entries()) {
    const expected = expectedOf(model, one);
    const actual = await send(one);
    if (expected === 'refused')
      expect(['record.duplicated', 'record.update-rejected']).toContain(actual);
    else expect([index, one, actual]).toEqual([index, one, expected]);
  }
  for (const handle of wallets) {
    const page = model.wallets.get(handle);
    if (!page) expect((await ledger.get(`/wallets/${handle}`)).status).toBe(404);
    else {
      const amounts = [...page].map(([symbol, amount]) => [symbol, String(amount)]);
      expect(await ledger.balances(handle)).toEqual(Object.fromEntries(amounts));
    }
  }
}

test('every page of commands ends as the model says', async () => {
  await fc.assert(fc.asyncProperty(page, holdsFor), {
    numRuns: 60,
    interruptAfterTimeLimit: 30_000,
    endOnFailure: false,
  });
});
