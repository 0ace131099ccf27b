/**
 * Goal: however many callers ask at the same time for a delivery to be sent again, each of them is answered, and it is
 * sent once all of them have asked. Decision 17.
 */
import { expect, test } from 'vitest';
import type { Services } from '../../shared/port/action.ts';
import type { Delivery } from '../../shared/port/deliveries.ts';
import { replay } from '../../shared/record/resend.ts';
import { bridge, callTo } from '../fixture/bridged.ts';
import { memoryDeliveries } from '../fixture/memory-deliveries.ts';

const startMs = Date.parse('2026-06-01T00:00:00.000Z');

/** A delivery that was sent an hour ago. */
async function desk() {
  const deliveries = memoryDeliveries(() => []);
  const services = { deliveries, clock: () => startMs } as unknown as Services;
  const call = { entry: 'deb_-OhqqeYtkS5WV8pm-', action: 'commit' } as const;
  const parts = { status: 'delivered', attempts: 1 } as const;
  const { dueMs: _dueMs, ...sent } = callTo(bridge(), call, startMs - 3_600_000, parts);
  await deliveries.add([sent]);
  const { scope, subject, luid } = sent;
  const stored = async () => (await deliveries.read(scope, subject, luid)) as Delivery;
  return { deliveries, services, sent, stored };
}

test('many who ask at once are all answered', async () => {
  const { services, sent, stored } = await desk();
  await Promise.all(Array.from({ length: 30 }, () => replay(services, sent)));
  expect(await stored()).toMatchObject({ status: 'pending', attempts: 0, dueMs: startMs });
});

test('who asks while it is sent for another has it sent once more', async () => {
  const { deliveries, services, sent, stored } = await desk();
  await replay(services, sent);
  const asked = await stored();
  const running = {
    status: 'running',
    dueMs: startMs + 60_000,
    version: asked.version + 1,
  } as const;
  await deliveries.save({ ...asked, ...running }, asked);
  await replay(services, sent);
  expect(await stored()).toMatchObject({ status: 'pending', replay: 2, dueMs: startMs });
});

test('who asks for what keeps changing is refused', async () => {
  const { deliveries, services, sent } = await desk();
  const changing = { ...deliveries, save: async () => false };
  const asked = replay({ ...services, deliveries: changing }, sent);
  await expect(asked).rejects.toMatchObject({ reason: 'api.request-timeout' });
});
