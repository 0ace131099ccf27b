/**
 * Everything there is: for functions that take records which may be described by schemas. What
 * environment and clients there are is in the files that this one adds to: `table.ts`, `signing.ts`,
 * `judging.ts`. A function imports the first of them that has what it needs, so that its bundle
 * carries no more; offline all of them are one, with the same table and keys.
 */
import { judging } from './judging.ts';
import type { WorkerWiring } from './signing.ts';

export const wiring: WorkerWiring = {
  ...judging,
  services: {
    ...judging.services,
    // Most processes never judge by a schema, so what does it is evaluated when it is asked for first.
    schemaMaker: async (schema) => {
      const { schemaMaker } = await import('../shared/json-schema/maker.ts');
      return schemaMaker(schema);
    },
  },
};
