/**
 * Goal: whatever is asked in whatever order, each intent ends as a bookkeeper with a pencil would have it
 * end, for the same reason, and the wallets hold the same in the end. Method: random pages of commands,
 * each against a new ledger and against a model that knows nothing but a table of amounts. Some of them are long, bring
 * many proofs, or have patterns that are as dear as they may be, which changes nothing for anybody else. `MODEL_RUNS`
 * says how many pages there are.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Claim,
  type Command,
  crowdMax,
  expectedOf,
  type Model,
  type Note,
} from '../fixture/bookkeeper.ts';
import {
  type Body,
  type Client,
  farewell,
  type Item,
  type Json,
  newKey,
  newLedger,
  outcomeOf,
  proofOf,
  type Reply,
  revision,
  signed,
} from '../fixture/client.ts';
import { dearAnywhere, hopelessPattern, hostileData, patternable } from '../fixture/hostile.ts';
import { sharedHome } from '../fixture/served.ts';

const runs = process.env['MODEL_RUNS'];
const runCount = Number(runs ?? 60);
/** How long the pages of the gate may take; those that somebody asks for take the time that they need. */
const limit = runs === undefined ? { interruptAfterTimeLimit: 30_000 } : {};
const msMax = 120_000 + runCount * 10_000;

const [key, stranger] = [newKey(), newKey()];

/** How long each note is, in bytes. */
const noteLengths: Readonly<Record<Note, number>> = {
  longish: patternable,
  long: 300_000,
  huge: 400_000,
};
/** What there is no room for. */
const roomless = ['api.body-malformed', 'record.schema-invalid'];

const home = await sharedHome();

/** Sends one command and says in one word how it ended. */
function sender(ledger: Client): (command: Command) => Promise<string> {
  let intents = 0;
  let last = signed({ handle: 'none' }, key);
  const found = async (handle: string, then: (item: Item) => Promise<Reply>): Promise<string> => {
    const { status, body } = await ledger.get(`/wallets/${handle}`);
    return status === 200 ? word(await then(body)) : 'record.not-found';
  };
  const settle = async (command: Command & { readonly do: 'settle' }): Promise<string> => {
    const body = intentOf(`intent-${intents + 1}`, command);
    const reply = await ledger.post('/intents', body);
    if (roomless.includes(String(reply.reason))) return 'no room';
    if (reply.status !== 201) return word(reply);
    [intents, last] = [intents + 1, body];
    return String(outcomeOf(reply.body));
  };
  return async (command) => {
    switch (command.do) {
      case 'wallet':
        return word(await ledger.post('/wallets', signed(walletOf(command), key)));
      case 'list':
        return handlesIn(await ledger.get(pathOf(command)));
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
      case 'settle':
        return settle(command);
      case 'repeat':
        return intents === 0 ? 'record.duplicated' : word(await ledger.post('/intents', last));
    }
  };
}

function word({ status, reason }: Pick<Reply, 'status' | 'reason'>): string {
  return status < 300 ? String(status) : String(reason);
}

/** A list of wallets, as one is asked for by a pattern. */
function pathOf({ isHopeless }: Command & { readonly do: 'list' }): string {
  const pattern = isHopeless ? hopelessPattern : dearAnywhere(0);
  return `/wallets?data.handle.$regex=${encodeURIComponent(pattern)}`;
}

function handlesIn(reply: Reply): string {
  const handles = reply.items.map(({ data }) => data.handle);
  return reply.status === 200 ? handles.sort().join() : word(reply);
}

function walletOf({ handle, patterns }: Command & { readonly do: 'wallet' }): Json {
  const hostile = { handle, author: stranger.public, target: '' };
  return patterns ? hostileData('wallet', patterns === 'hopeless', hostile) : { handle };
}

/** An intent with the proof of its author, and those of a crowd that has no part in it. */
function intentOf(handle: string, { claims, note, crowd = 0 }: Command & { do: 'settle' }): Body {
  const custom = note && { custom: { note: 'x'.repeat(noteLengths[note]) } };
  const body = signed({ handle, claims: claims.map(sentOf), ...custom }, key);
  const more = Array.from({ length: crowd }, (_, place) => proofOf(body.hash, stranger, { place }));
  return { ...body, meta: { proofs: [...body.meta.proofs, ...more] } };
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
/** What is close to a bound, or beyond it. */
const odd: fc.Arbitrary<Command> = fc
  .record({
    do: fc.constant('settle' as const),
    claims: settle,
    size: fc.constantFrom<{ note?: Note; crowd?: number }>(
      { note: 'huge' },
      { crowd: crowdMax },
      { crowd: crowdMax + 1 },
      { note: 'long', crowd: crowdMax },
    ),
  })
  .map(({ size, ...rest }) => ({ ...rest, ...size }));
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 24, arbitrary: settle.map((claims) => ({ do: 'settle' as const, claims })) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('settle' as const),
      claims: settle,
      note: fc.constantFrom('longish' as const, 'longish' as const, 'long' as const),
    }),
  },
  { weight: 1, arbitrary: odd },
  { weight: 6, arbitrary: wallet.map((handle) => ({ do: 'wallet' as const, handle })) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('wallet' as const),
      handle: wallet,
      patterns: fc.constantFrom('dear' as const, 'dear' as const, 'hopeless' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.boolean().map((isHopeless) => ({ do: 'list' as const, isHopeless })),
  },
  { weight: 4, arbitrary: wallet.map((handle) => ({ do: 'drop' as const, handle })) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('rename' as const), handle: wallet, to: wallet }),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(...symbols).map((handle) => ({ do: 'symbol' as const, handle })),
  },
  { weight: 2, arbitrary: fc.constant({ do: 'repeat' as const }) },
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
  const model: Model = { wallets: new Map(), symbols: new Set(), dear: new Set() };
  for (const [index, one] of commands.entries()) {
    const expected = expectedOf(model, one);
    const actual = await send(one);
    if (expected === 'refused')
      expect(['record.duplicated', 'record.update-rejected', 'record.invalid']).toContain(actual);
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

test(
  'every page of commands ends as the model says',
  async () => {
    const holds = fc.asyncProperty(page, holdsFor);
    await fc.assert(holds, { numRuns: runCount, ...limit, endOnFailure: false });
  },
  msMax,
);
