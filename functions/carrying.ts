/** Shared set-up of the workers that deliver: courier and sweeper. */
import { send } from '../shared/outgoing/send.ts';
import { type AttemptSpan, spans } from '../shared/port/trace.ts';
import { bytesPerSecond, effectsPerSignal } from './bounds.ts';
import { newCarriers } from './carriers.ts';
import { note } from './environment.ts';
import { metric } from './figures.ts';
import { judging } from './judging.ts';

const { services, policy } = judging;

export const carriers = newCarriers({
  ...{ services, metric, bytesPerSecond, effectsPerSignal },
  ask: (request, timeoutMs) => send(request, { policy, timeoutMs, keepBody: true }),
  send: (request, givenUp) => send(request, { policy, ...(givenUp && { givenUp }) }),
  report: (error) => judging.complain('delivery', error),
});

// A line for each attempt, so that an operator sees why an event did not arrive. It holds no content and no address.
spans.attempt.asyncEnd.subscribe((message) => {
  const { delivery, status, outcome, ms } = message as AttemptSpan;
  // One that was put off was not attempted.
  if (status === undefined || status === 'pending') return;
  const { scope: ledger, luid, subject, data, attempts } = delivery;
  note('delivery', {
    ...{ ledger, delivery: luid, target: subject, linked: data.linked },
    what: data.action ?? String(data.record.data['signal']),
    ...{ attempt: attempts + 1, status },
    ...(outcome &&
      (outcome.kind === 'answered' ? { answer: outcome.status } : { why: outcome.why })),
    ms,
  });
});
