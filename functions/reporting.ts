/** Shared set-up of the workers that produce reports: the reporter, and its thread offline. */
import type { ProducePorts } from '../shared/report/produce.ts';
import { signing } from './signing.ts';

export function producing(hasTime: () => boolean): ProducePorts {
  const { services, reportDelayMs: latenessMs, complain } = signing;
  const report = (error: unknown): void => complain('report', error);
  return { services, latenessMs, hasTime, report };
}
