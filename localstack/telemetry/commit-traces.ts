/**
 * The traces that have written records, by luid: what follows from a record after its commit continues that trace. The
 * threads publish them to each other; nothing is stored, and after a restart a trace ends at its commit. Decision 114.
 */
import { BroadcastChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import type { TraceHeaders } from '../../shared/port/trace.ts';

interface CommitTrace {
  readonly luids: readonly string[];
  readonly headers: TraceHeaders;
}

export interface CommitTraces {
  readonly add: (luids: readonly string[], headers: TraceHeaders) => void;
  /** The trace that wrote the record last; undefined when it is unknown. */
  readonly of: (luid: string) => TraceHeaders | undefined;
  readonly close: () => void;
}

/** The records that a thread remembers; the oldest go first. */
const recordCountMax = 10_000;

export function commitTraces(): CommitTraces {
  const known = new Map<string, TraceHeaders>();
  const remember = ({ luids, headers }: CommitTrace): void => {
    for (const luid of luids) {
      known.delete(luid);
      known.set(luid, headers);
    }
    for (const luid of known.keys()) {
      if (known.size <= recordCountMax) return;
      known.delete(luid);
    }
  };
  const threads = new BroadcastChannel('countersign-traces');
  let isOpen = true;
  threads.onmessage = (message) => remember((message as { data: CommitTrace }).data);
  threads.unref();
  // Node takes a broadcast channel here, which its types leave out.
  const received = () => receiveMessageOnPort(threads as unknown as MessagePort);
  // A thread can read a record in the turn of its event loop in which another commits it; the trace was sent before.
  const hearAll = (): void => {
    if (!isOpen) return;
    for (let heard = received(); heard; heard = received()) remember(heard.message as CommitTrace);
  };
  return {
    add: (luids, headers) => {
      const trace = { luids, headers };
      remember(trace);
      threads.postMessage(trace);
    },
    of: (luid) => {
      hearAll();
      return known.get(luid);
    },
    close: () => {
      isOpen = false;
      threads.close();
    },
  };
}
