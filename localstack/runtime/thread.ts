/** Starts threads with modules of this folder: compiled, or from their sources by the loader. */
import { setEnvironmentData, Worker } from 'node:worker_threads';
import { changesName } from '../../functions/environment.ts';

// A thread does not inherit the loader of its process, so it registers the loader first.
const bootstrap =
  "const { workerData } = require('node:worker_threads');" +
  'import(workerData.loader).then(({ register }) => {' +
  'register(); return import(workerData.entry); });';
const isSource = import.meta.url.endsWith('.ts');

// A thread that changes what the others have read makes them read it again. Decision 129.
setEnvironmentData(changesName, new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/** Starts a thread with a module of this folder, named without its extension. */
export function thread(module: string): Worker {
  if (!isSource) return new Worker(new URL(`./${module}.js`, import.meta.url));
  const entry = new URL(`./${module}.ts`, import.meta.url).href;
  const loader = import.meta.resolve('tsx/esm/api');
  return new Worker(bootstrap, { eval: true, workerData: { loader, entry } });
}
