/** Goal: whatever follows from a commit finds its trace, also at once. Method: the channels of two threads, in one. */
import { expect, onTestFinished, test } from 'vitest';
import { commitTraces } from '../../localstack/telemetry/commit-traces.ts';

const traceOf = (id: number) => ({ traceparent: `00-${id}` });

function twoThreads() {
  const both = [commitTraces(), commitTraces()] as const;
  onTestFinished(() => {
    for (const one of both) one.close();
  });
  return both;
}

test('the trace of a commit is known to another thread in the same turn of its event loop', () => {
  const [writer, reader] = twoThreads();
  writer.add(['a', 'b'], traceOf(1));
  expect(reader.of('b')).toEqual(traceOf(1));
  // The last that wrote a record counts.
  writer.add(['b'], traceOf(2));
  expect(['a', 'b', 'c'].map(reader.of)).toEqual([traceOf(1), traceOf(2), undefined]);
});

test('a thread knows the traces of the last 10,000 records', () => {
  const [writer, reader] = twoThreads();
  for (let count = 0; count <= 10_000; count += 1) writer.add([`r${count}`], traceOf(count));
  expect([reader.of('r0'), reader.of('r1')]).toEqual([undefined, traceOf(1)]);
});
