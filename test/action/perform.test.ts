/**
 * Goal: an action that does not ask what its endpoint declares neither stores nor answers anything, and an
 * endpoint that declares nothing does not compile. Ruling 30.
 */
import { describe, expect, test } from 'vitest';
import { allow } from '../../shared/access/allow.ts';
import { perform } from '../../shared/access/perform.ts';
import { open, toRead } from '../../shared/access/required-permission.ts';
import type { Action, Call, RequiredPermission } from '../../shared/port/action.ts';
import type { AccessDecision } from '../../shared/port/permission-query.ts';
import { newWork } from '../../shared/port/request-budget.ts';
import { byPath } from '../../shared/record/find.ts';
import { type Json, newKey } from '../fixture/client.ts';
import { bearerOf, openDesk } from '../fixture/desk.ts';

const asks = toRead('wallet', byPath('wallet'));
const answered = { status: 204 } as const;
const reader = newKey();
const bearer = bearerOf(reader);

/** A ledger in which one key may read wallets, with a wallet; and a call about it. */
async function governed(commits: string[] = []) {
  const desk = await openDesk((store) => ({
    commit: async (commit) => {
      commits.push(commit.token);
      return commit.writes.length === 0 ? [] : store.commit(commit);
    },
  }));
  await desk.make('wallet', { handle: 'w' });
  const access: Json[] = [
    { action: 'read', record: 'wallet', bearer: { $signer: { public: reader.public } } },
  ];
  await desk.make('circle', { handle: 'staff', access });
  commits.splice(0);
  const { services } = desk;
  const ledger = await services.identityOf('main');
  if (!ledger) throw new Error('There is a default ledger.');
  const asked = { path: { id: 'w' }, query: {}, body: undefined, bearer };
  const call: Call = { services, ledger, ...asked, work: newWork(services) };
  return { call, commits };
}

const nothing = { token: 'none', writes: [] };

describe('an action answers', () => {
  test('when what it declares was granted', async () => {
    const { call } = await governed();
    const run = async (of: Call) => {
      await asks.allow(of);
      return answered;
    };
    expect(await perform({ requires: asks, run }, call)).toEqual(answered);
  });

  test('when it declares that it asks nothing', async () => {
    const { call } = await governed();
    const run = async () => answered;
    expect(await perform({ requires: open('For a test.'), run }, call)).toEqual(answered);
  });

  test('with a refusal of its own', async () => {
    const { call } = await governed();
    const { bearer: _bearer, ...unknown } = call;
    const run = async (of: Call) => {
      await asks.allow(of);
      return answered;
    };
    await expect(perform({ requires: asks, run }, unknown)).rejects.toMatchObject({
      reason: 'auth.unauthorized',
    });
  });
});

describe('an action does not answer', () => {
  const ways: Readonly<Record<string, (call: Call) => Promise<unknown>>> = {
    'when it asks nothing': async () => undefined,
    'when it asks for another action': (call) => allow(call, { action: 'spend', kind: 'wallet' }),
    'when it asks about another kind': (call) => allow(call, { action: 'read', kind: 'symbol' }),
    'when it asks in more ways than it declares': (call) =>
      allow(call, { action: 'read', kind: 'wallet', or: [['query', 'wallet']] }),
    'when it asks about its proofs instead': (call) =>
      allow(call, { action: 'read', kind: 'wallet', about: 'wallet-proof' }),
    'when it asks and does not listen': async (call) => {
      const { bearer: _bearer, ...unknown } = call;
      await asks.allow(unknown).catch(() => undefined);
    },
  };

  test.each(Object.keys(ways))('%s', async (way) => {
    const { call } = await governed();
    const run = async (of: Call) => {
      await ways[way]?.(of).catch(() => undefined);
      return answered;
    };
    await expect(perform({ requires: asks, run }, call)).rejects.toThrow(
      "the endpoint declares to ask for 'read' on 'wallet'",
    );
  });
});

test('nothing is stored before what is declared was granted', async () => {
  const { call, commits } = await governed();
  const writes: Readonly<Record<string, (of: Call) => Promise<unknown>>> = {
    commit: ({ services }) => services.store.commit(nothing),
    open: ({ services }) => services.store.open([]),
    save: ({ services }) => services.deliveries.save({} as never, {} as never),
    add: ({ services }) => services.deliveries.add([]),
  };
  for (const [name, write] of Object.entries(writes)) {
    const run = async (of: Call) => {
      await write(of);
      return answered;
    };
    await expect(perform({ requires: asks, run }, call), name).rejects.toThrow('declares to ask');
  }
  expect(commits).toEqual([]);
  const run = async (of: Call) => {
    await asks.allow(of);
    await of.services.store.commit(nothing);
    return answered;
  };
  await perform({ requires: asks, run }, call);
  expect(commits).toEqual(['none']);
});

test('whoever listens to a call hears what is asked and what each rule says', async () => {
  const { call } = await governed();
  const heard: AccessDecision[] = [];
  const run = async (of: Call) => {
    await asks.allow(of);
    return answered;
  };
  await perform(
    { requires: asks, run },
    { ...call, onVerdict: (verdict) => void heard.push(verdict) },
  );
  expect(heard.map(({ query: asked, isGranted }) => [asked.action, asked.kind, isGranted])).toEqual(
    [['read', 'wallet', true]],
  );
  const rules = heard.flatMap(({ ways }) => ways.flatMap(({ weighed }) => weighed));
  expect(rules.map(({ source, missing }) => [source.place, missing])).toEqual([
    ['server', 'signer'],
    ['server', 'bearer'],
    ['server', 'record'],
    ['circle', undefined],
  ]);
});

// Checked by the compiler: these lines are errors unless the next ones are.
test('an endpoint that does not declare what it asks does not compile', () => {
  // @ts-expect-error: nothing is declared.
  const silent: Action = { run: async () => answered };
  const allow = async (): Promise<undefined> => undefined;
  // @ts-expect-error: there is no such action.
  const unknown: RequiredPermission = { action: 'peek', record: 'wallet', allow };
  // @ts-expect-error: `any` is what rules grant, and not what anybody asks for.
  const greedy: RequiredPermission = { action: 'any', record: 'wallet', allow };
  // @ts-expect-error: there is no such kind.
  const strange: RequiredPermission = { action: 'read', record: 'pocket', allow };
  // @ts-expect-error: what is declared must be asked by something.
  const mute: RequiredPermission = { action: 'read', record: 'wallet' };
  expect([silent, unknown, greedy, strange, mute]).toHaveLength(5);
});
