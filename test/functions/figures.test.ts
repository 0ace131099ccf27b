/** Goal: a metric reaches CloudWatch under the namespace of its stack, and elsewhere the channel of the runtime. */
import { afterEach, expect, test, vi } from 'vitest';
import { figures } from '../../shared/port/trace.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  vi.resetModules();
});

/** Writes a metric; gives the lines of the log and what the channel has got. */
async function written(namespace: string | undefined) {
  vi.stubEnv('METRIC_NAMESPACE', namespace);
  const { metric } = await import('../../functions/figures.ts');
  const lines: string[] = [];
  const received: unknown[] = [];
  const receive = (figure: unknown) => void received.push(figure);
  vi.spyOn(process.stdout, 'write').mockImplementation((line) => lines.push(String(line)) > 0);
  figures.subscribe(receive);
  metric('OutboxLag', 5);
  figures.unsubscribe(receive);
  vi.restoreAllMocks();
  return { lines, received };
}

test('in a stack a metric is a line of the log, in the namespace of the stack', async () => {
  const { lines, received } = await written('Bank');
  const [line = '', ...others] = lines;
  expect(JSON.parse(line)).toMatchObject({
    OutboxLag: 5,
    _aws: { CloudWatchMetrics: [{ Namespace: 'Bank', Dimensions: [[]] }] },
  });
  expect([line.endsWith('\n'), others, received]).toEqual([true, [], []]);
});

test('elsewhere it is on the channel, and in no log', async () => {
  const { lines, received } = await written(undefined);
  expect(lines).toEqual([]);
  expect(received).toEqual([{ name: 'OutboxLag', value: 5 }]);
});
