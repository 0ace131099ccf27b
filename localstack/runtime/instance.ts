/** A thread that runs the functions for the pool. */
import { parentPort } from 'node:worker_threads';
import { stackOf } from '../../shared/ledger/thrown.ts';
import { loadFunctions } from './functions.ts';
import type { Invocation, Measured, WorkerAnswer } from './pool.ts';
import { endThread, reportFailure } from './thread-end.ts';
import './quiet.ts';
import '../engine/provide.ts';

const functions = await loadFunctions((measured) =>
  parentPort?.postMessage({ measured } satisfies Measured),
);

async function answerTo({ id, group, event }: Invocation): Promise<WorkerAnswer> {
  try {
    return { id, ...(await functions.answer(group, event)) };
  } catch (error) {
    return { id, error: stackOf(error) };
  }
}

parentPort?.on('message', (invocation: Invocation | 'stop') => {
  if (invocation === 'stop') void stop();
  else void answerTo(invocation).then(send);
});

/** Sends an answer, or that it is one that no thread can take from another. */
function send(answer: WorkerAnswer): void {
  try {
    parentPort?.postMessage(answer);
  } catch (error) {
    parentPort?.postMessage({ id: answer.id, error: stackOf(error) } satisfies WorkerAnswer);
  }
}

/** Ends the thread, once its spans are sent. */
async function stop(): Promise<void> {
  await functions.close();
  await endThread();
}

reportFailure();
parentPort?.postMessage('ready');
