/** The heaps of the offline runtime grow by an option of V8, which tells its limits in a trace. Decision 154. */
import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';

const traced = ['--expose-gc', '--trace-gc-verbose', '--import', 'tsx', '--input-type=module'];
/** Keeps some forty megabytes, and collects all other objects. */
const script = `
  const { letHeapsGrow } = await import('./localstack/runtime/heap.ts');
  letHeapsGrow();
  globalThis.kept = Array.from({ length: 400_000 }, (_, at) => ({ at, list: [at] }));
  globalThis.gc();
`;

it('a full collection lets the heap grow to three times of what it kept', () => {
  const printed = execFileSync(process.execPath, [...traced, '--eval', script], {
    encoding: 'utf8',
  });
  const limits = [
    ...printed.matchAll(/HeapController\] Limit: old size: (\d+) KB, new limit: (\d+) KB/g),
  ];
  const [, kept, limit] = limits.at(-1) ?? [];
  // V8 adds the room of short-lived objects. By itself it lets the heap of this script grow to four times and more.
  expect(Number(limit) / Number(kept)).toBeGreaterThan(3);
  expect(Number(limit) / Number(kept)).toBeLessThan(4);
});
