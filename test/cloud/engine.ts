/** The table of the model: the engine of the offline runtime, over items in memory. */
import { Engine as AnyEngine } from '../../localstack/engine/engine.ts';
import { MemoryItems } from './items.ts';

export type { Command } from '../../localstack/engine/command.ts';
export {
  type Charge,
  cancellation,
  type StoredChange,
} from '../../localstack/engine/engine.ts';

export class Engine extends AnyEngine {
  /** An empty table; `now` is the clock by which tokens expire. */
  constructor(tableName: string, now: () => number = Date.now) {
    super(tableName, new MemoryItems(), { now });
  }
}
