/** `signing.ts` with patterns and endpoint checks, for functions that need no JSON Schema. */
import { parseEndpoint } from '../shared/outgoing/endpoint.ts';
import { patternMaker } from '../shared/signal/pattern.ts';
import { signing, type WorkerWiring } from './signing.ts';

const { policy, services } = signing;

export const judging: WorkerWiring = {
  ...signing,
  services: {
    ...services,
    assertEndpoint: (text, at) => void parseEndpoint(text, policy, at),
    patternMaker,
  },
};
