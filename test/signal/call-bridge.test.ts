/** What a bridge is called at. Rulings 53 and 54. */
import { expect, test } from 'vitest';
import { type BridgePorts, callBridge } from '../../shared/delivery/bridge.ts';
import type { Version } from '../../shared/ledger/record.ts';
import { send } from '../../shared/outgoing/send.ts';

/** The outcome of a call of a bridge at this address. */
function calledAt(
  server: string,
  ask: BridgePorts['send'] = (request) => send(request, { policy: { inside: false } }),
) {
  const ports = { services: {}, tokens: {}, send: ask } as Partial<BridgePorts> as BridgePorts;
  const record = { luid: '$brg.1', hash: '', data: { config: { server } } };
  const request = { method: 'POST', path: '/credits', body: '{}' } as const;
  return callBridge(ports, 'main', { kind: 'bridge', record } as unknown as Version, request);
}

// Another version of Node may have taken it when it was stored.
test.each(['https://bank.example:99999', 'https://xn--a.example', 'https://fa\u1e9e.example'])(
  'a bridge at %s is not called, and its intents go on',
  async (server) => {
    expect(await calledAt(server)).toMatchObject({ kind: 'unreachable', why: 'invalid' });
  },
);

test.each([
  ['https://bank.example', 'https://bank.example/credits'],
  ['https://bank.example/', 'https://bank.example/credits'],
  ['https://bank.example:8443/v2/', 'https://bank.example:8443/v2/credits'],
  ['https://bank.example/v2?key=1/', 'https://bank.example/v2/credits?key=1/'],
])('a bridge at %s is called at %s', async (server, address) => {
  const asked: string[] = [];
  await calledAt(server, async ({ endpoint }) => {
    asked.push(endpoint);
    return { kind: 'answered', status: 200 };
  });
  expect(asked).toEqual([address]);
});
