/**
 * The traces that have written records, by luid: what follows from a record after its commit continues that trace. The
 * threads publish them to each other; nothing is stored, and after a restart a trace ends at its commit. Decision 114.
 */
import { BroadcastChannel } from 'node:worker_threads';
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
  threads.onmessage = (message) => remember((message as { data: CommitTrace }).data);
  threads.unref();
  return {
    add: (luids, headers) => {
      const trace = { luids, headers };
      remember(trace);
      threads.postMessage(trace);
    },
    of: (luid) => known.get(luid),
    close: () => threads.close(),
  };
}
