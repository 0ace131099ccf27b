/**
 * Wiring of the functions that validate records by schemas: everything. It is built in layers (`table.ts`,
 * `signing.ts`, `judging.ts`, `wiring.ts`). A function imports the first layer that has what it needs, which keeps its
 * bundle small. Offline all layers share one table and its keys.
 */
import { judging } from './judging.ts';
import type { WorkerWiring } from './signing.ts';

export const wiring: WorkerWiring = {
  ...judging,
  services: {
    ...judging.services,
    // The validator is loaded on first use, since most processes never need it.
    schemaMaker: async (schema) => {
      const { schemaMaker } = await import('../shared/json-schema/maker.ts');
      return schemaMaker(schema);
    },
  },
};
