/** The body of an access check. Ruling 35. */
import * as z from 'zod/mini';
import { createBodyOf } from './record.ts';
import { accessActions, accessRecords } from './rule.ts';

export const CheckBody = createBodyOf(
  z.strictObject({
    action: z.literal(accessActions),
    record: z.exactOptional(z.literal(accessRecords)),
    explain: z.exactOptional(z.boolean()),
  }),
);
