/** The partitions of the table that a worker may write, as patterns of IAM: a star matches any text. */
import {
  asideKeyOf,
  attemptsKeyOf,
  bookListPartitionOf,
  bookPartitionOf,
  changeKeyOf,
  deliveryPartitionOf,
  dueRangeOf,
  dueShardCount,
  eventKeyOf,
  expiryMarkKey,
  expiryRangeOf,
  gateKeyOf,
  headKeyOf,
  listPartitionOf,
  loggedKeyOf,
  logKeyOf,
  monitorKeyOf,
  outboxPartitionOf,
  outboxShardCount,
  pointerKeyOf,
  publishedKeyOf,
  rulebookKeyOf,
  shardKeyOf,
  spansPartitionOf,
  termPartitionOf,
  tileKeyOf,
  usedKeyOf,
  wholeBooksKeyOf,
  workRangeOf,
} from '../shared/store/keys.ts';

export const outboxPartitions = Array.from({ length: outboxShardCount }, (_, shard) =>
  outboxPartitionOf('*', shard),
);
export const duePartitions = Array.from(
  { length: dueShardCount },
  (_, shard) => dueRangeOf(shard, 0).pk,
);
export const rulebookPartition = rulebookKeyOf('*').pk;
export const publishedPartition = publishedKeyOf('*', 0).pk;
export const asidePartition = asideKeyOf('*', '').pk;
export const attemptsPartition = attemptsKeyOf({ scope: '*', who: '*', startMs: 0 }).pk;
export const usedPartition = usedKeyOf('*', '*').pk;
export const termPartition = termPartitionOf(
  { scope: '*', kind: '*', within: '*' },
  { field: '*', value: '*' },
);
/** The counts of lists, those of records within another one among them. */
export const spansPartition = spansPartitionOf({ scope: '*', kind: '*' });
export const bookPartitions = [
  bookPartitionOf({ scope: '*', wallet: '*', symbol: '*' }),
  bookListPartitionOf('*', '*'),
  monitorKeyOf('*', '*').pk,
  wholeBooksKeyOf('*').pk,
];
/** The logs of ledgers: heads and checkpoints, leaves and tiles, and the places of changes. */
export const logPartitions = [
  logKeyOf('*').pk,
  tileKeyOf('*', 0, 0).pk.replace(/0#0$/, '*'),
  loggedKeyOf('*', '*', 0).pk,
];
export const effectPointerPartition = pointerKeyOf('*', 'effect', '$eff.*').pk;
/** The contents of deliveries. */
export const eventPartition = eventKeyOf({ scope: '*', event: '*', name: '' }).pk;
export const deliveryPartitions = [deliveryPartitionOf('*', '*'), eventPartition];
export const workPartition = workRangeOf(0).pk;
export const intentPartitions = [
  headKeyOf('*', 'intent', '*').pk,
  changeKeyOf('*', '$int.*', 0).pk,
];
export const walletPartitions = [headKeyOf('*', 'wallet', '*').pk];
/** The shards of busy balances. */
export const balanceShardPartition = shardKeyOf('*', '*', '*', 1).pk.replace('#1#', '#*#');
export const symbolPartitions = [headKeyOf('*', 'symbol', '*').pk];
export const bridgePartitions = [headKeyOf('*', 'bridge', '*').pk];
/** The gates of busy bridges and wallets. */
export const gatePartitions = (['bridge', 'wallet'] as const).map((kind) =>
  gateKeyOf('*', kind, '*', 0).pk.replace('#0#', '#*#'),
);
export const intentListPartition = listPartitionOf('*', 'intent');
/** The markers of waiting intents, those of spread ones among them. */
export const expiryPartition = expiryRangeOf(0, 0).pk.replace(/0$/, '*');
/** The first of them, with the mark that there are further ones. */
export const expiryMarkPartition = expiryMarkKey.pk;
export const reportPartitions = [
  headKeyOf('*', 'report', '*').pk,
  changeKeyOf('*', '$rep.*', 0).pk,
];
export const effectPartitions = [
  headKeyOf('*', 'effect', '*').pk,
  changeKeyOf('*', '$eff.*', 0).pk,
];
