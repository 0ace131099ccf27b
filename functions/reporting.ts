/** What the workers that produce reports share: the reporter, and the thread that stands for it offline. */
import type { ProducePorts } from '../shared/report/produce.ts';
import { signing } from './signing.ts';

/** How to produce reports, for a process that goes on for as long as it is told. */
export function producing(hasTime: () => boolean): ProducePorts {
  const { services, reportDelayMs: latenessMs, complain } = signing;
  const report = (error: unknown): void => complain('report', error);
  return { services, latenessMs, hasTime, report };
}
