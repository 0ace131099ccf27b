/** Triggered by the stream of the table: drains the outboxes with new entries. */
import type { DynamoDBStreamEvent } from 'aws-lambda';
import { drain } from '../../shared/signal/relay.ts';
import { itemOf } from '../../shared/store/keys.ts';
import { deployedBus, relaying } from '../relaying.ts';

const ports = relaying(deployedBus());

export async function handler({ Records }: DynamoDBStreamEvent): Promise<void> {
  const scopes = new Map<string, Set<number>>();
  for (const { dynamodb } of Records) {
    const { pk, sk } = dynamodb?.Keys ?? {};
    const item = itemOf(pk?.S ?? '', sk?.S ?? '');
    if (item?.item !== 'outbox' && item?.item !== 'signals') continue;
    scopes.set(item.scope, (scopes.get(item.scope) ?? new Set()).add(item.shard));
  }
  const drained = await Promise.all(
    [...scopes].map(([scope, shards]) => drain(ports, scope, [...shards])),
  );
  // The stream repeats these records; the sweeper drains the rest.
  if (drained.includes(false))
    throw new Error('Not all events could be told; they wait in the outbox.');
}
