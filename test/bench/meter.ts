/**
 * A table in memory, and the write and read units that each of its partition keys is charged, by the rules of AWS.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html
 */
import type { FileClient } from '../../shared/store/client.ts';
import { type Command, Engine } from '../cloud/engine.ts';

export interface Units {
  writeUnits: number;
  readUnits: number;
}

export interface Meter {
  readonly client: FileClient;
  /** The units of each partition key since the last call of `clear`. */
  readonly units: ReadonlyMap<string, Units>;
  readonly clear: () => void;
}

/** An empty table with a meter. */
export function newMeter(tableName: string): Meter {
  const engine = new Engine(tableName);
  const units = new Map<string, Units>();
  const send = async (command: Command): Promise<object> => {
    for (const { key, units: amount, isWrite } of engine.charges(command)) {
      const sum = units.get(key.pk) ?? { writeUnits: 0, readUnits: 0 };
      sum[isWrite ? 'writeUnits' : 'readUnits'] += amount;
      units.set(key.pk, sum);
    }
    return engine.answer(command);
  };
  const client = { send, destroy: () => {} } as unknown as FileClient;
  return { client, units, clear: () => units.clear() };
}
