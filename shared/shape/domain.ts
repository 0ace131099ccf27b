/** The shape of a domain; `domain` names its parent. Rulings 11 and 37. */
import * as z from 'zod/mini';
import { commonData, NameHandle } from './record.ts';

export const DomainData = z.strictObject({
  handle: NameHandle,
  ...commonData,
});
export type DomainData = z.infer<typeof DomainData>;
