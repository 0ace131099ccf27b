/** The intents of a thread, as each of them names the others. Ruling 43. */
import type { LedgerRecord, Version } from '../ledger/record.ts';

/** Whether an intent was made by the ledger, because another one is forwarded by it. */
export function isForwarded({ data, meta }: LedgerRecord): boolean {
  return meta.thread !== undefined && meta.thread !== data.handle;
}

/** The intents to look at beside one: all others of its thread when it is the first of them, else the first one. */
export function besides({ record, together = [] }: Version): string[] {
  const { data, meta } = record;
  if (meta.thread === undefined) return [];
  return isForwarded(record) ? [meta.thread] : together.filter((handle) => handle !== data.handle);
}
