/** Making a signer a member of a circle, by a link. Rulings 18 and 36. */
import type { Action } from '../port/action.ts';
import { create } from './create.ts';

const creating = create('circle-signer');

/** Assigns a signer to the circle that the path names; answers 200. Rulings, section 2. */
export const assign: Action = {
  ...creating,
  run: async (call) => ({ ...(await creating.run(call)), status: 200 }),
};
