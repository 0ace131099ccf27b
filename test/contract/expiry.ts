/** The contract of pending intents: from their expiry on they are found, until they have ended. Ruling 50. */
import { describe, expect, test } from 'vitest';
import type { Version } from '../../shared/ledger/record.ts';
import type { Expiries, ExpiryPlaces, WaitingIntent } from '../../shared/port/expiries.ts';
import type { Store } from '../../shared/port/ports.ts';
import { commitOf, nextMs, proved, transferred, waiting, writeOf } from '../fixture/version.ts';
import { newScope } from './store.ts';

interface Ports {
  readonly store: Store;
  readonly expiries: Expiries;
}

/** More than one read returns, even if all are in one shard. */
const manyCount = 105;

const shardOf = ({ record }: Version) =>
  [...record.luid].reduce((sum, char) => sum + char.charCodeAt(0), 0) % 8;

/** Runs the contract against a store and the intents that wait in it. */
export function describeExpiries(name: string, portsNow: () => Ports): void {
  const commit = async (scope: string, next: Version, previous?: Version) => {
    expect(await portsNow().store.commit(commitOf(writeOf(scope, next, previous)))).toEqual([]);
  };

  /** All intents of a scope that are due at a time, page by page. */
  async function dueIn(scope: string, nowMs: number): Promise<WaitingIntent[]> {
    const found: WaitingIntent[] = [];
    let places: ExpiryPlaces | undefined;
    do {
      const { due, next } = await portsNow().expiries.due(nowMs, places);
      found.push(...due);
      places = next;
    } while (places);
    return found.filter((one) => one.scope === scope);
  }

  describe(`the intents that wait in ${name}`, () => {
    test('are due at their time and not before', async () => {
      const scope = newScope();
      const untilMs = nextMs();
      const intent = waiting('pay', untilMs);
      await commit(scope, intent);
      expect(await dueIn(scope, untilMs - 1)).toEqual([]);
      const { luid } = intent.record;
      expect(await dueIn(scope, untilMs)).toEqual([{ scope, luid, handle: 'pay', dueMs: untilMs }]);
    });

    test('stay due while proofs are added, and no longer once they have ended', async () => {
      const scope = newScope();
      const untilMs = nextMs();
      const first = waiting('pay', untilMs);
      const second = proved(first, 2, 'pending');
      const third = proved(second, 1, 'rejected');
      await commit(scope, first);
      await commit(scope, second, first);
      expect(await dueIn(scope, untilMs)).toHaveLength(1);
      await commit(scope, third, second);
      await commit(scope, proved(third, 1, 'rejected'), third);
      expect(await dueIn(scope, untilMs)).toEqual([]);
    });

    test('are not among those that ended at once', async () => {
      const scope = newScope();
      await commit(scope, transferred('pay'));
      expect(await dueIn(scope, nextMs())).toEqual([]);
    });

    test('are all found, however many lie together', async () => {
      const scope = newScope();
      const untilMs = nextMs();
      const intents: Version[] = [];
      while (intents.length < manyCount) {
        const intent = waiting(`pay-${intents.length}`, untilMs);
        if (shardOf(intent) === 0) intents.push(intent);
      }
      for (const intent of intents) await commit(scope, intent);
      const due = await dueIn(scope, untilMs);
      expect(due.map(({ luid }) => luid).sort()).toEqual(
        intents.map(({ record }) => record.luid).sort(),
      );
    });
  });
}
