/** The name of an outbox entry among all. */
import type { OutboxEntry } from '../port/outbox.ts';

export function nameOf({ scope, shard, place }: OutboxEntry): string {
  return `${scope} ${shard} ${place}`;
}
