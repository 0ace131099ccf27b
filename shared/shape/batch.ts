/** The body of a batch of intents. Each element is checked by itself, as the body of a create. Ruling 90. */
import * as z from 'zod/mini';

/** The most intents of one batch. */
const intentCountMax = 100;

/** A batch of these elements. */
export function batchOf(element: z.ZodMiniType) {
  return z.strictObject({
    data: z.array(element).check(z.minLength(1), z.maxLength(intentCountMax)),
    mode: z
      .literal(['independent', 'atomic'])
      .check(
        z.describe('`independent`: each intent by itself. `atomic`: all are stored, or none is.'),
      ),
  });
}

export const BatchBody = batchOf(z.unknown());
export type BatchBody = z.infer<typeof BatchBody>;
