/** What may be asked of the rules. Ruling 35. */
import * as z from 'zod/mini';
import { createBodyOf } from './record.ts';
import { accessActions, accessRecords } from './rule.ts';

/** Asks what the caller may do. Interface, access check. */
export const CheckBody = createBodyOf(
  z.strictObject({
    action: z.literal(accessActions),
    record: z.exactOptional(z.literal(accessRecords)),
  }),
);
