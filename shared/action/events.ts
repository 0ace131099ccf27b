/** Deliveries of effects and bridges: lists, single ones, and replay. Ruling 60. */

import { requiringFreshProofs } from '../access/fresh-proofs.ts';
import { toDo, toRead } from '../access/required-permission.ts';
import { isLuid } from '../crypto/luid.ts';
import { payForRow } from '../ledger/budget.ts';
import { LedgerError } from '../ledger/errors.ts';
import type { Kind } from '../ledger/kind.ts';
import type { Matcher } from '../ledger/match.ts';
import { parseFilters } from '../ledger/query.ts';
import type { Version } from '../ledger/record.ts';
import type { Action, Call, RequiredPermission } from '../port/action.ts';
import type { Delivery } from '../port/deliveries.ts';
import { inFairOrder } from '../query/fair-queue.ts';
import {
  cursors,
  fillingOf,
  listAnswer,
  type PageQuery,
  pageNames,
  parsePage,
} from '../query/page.ts';
import { byPath, parameterOf } from '../record/find.ts';
import {
  deliveryLuidOf,
  eventPrefix,
  listMsMax,
  listTookTooLong,
  replay,
} from '../record/resend.ts';
import { countersign, momentOf } from '../record/sign.ts';
import { RetryBody } from '../shape/effect.ts';
import type { SignedBody } from '../shape/record.ts';

const maxAgeDefault = 60;
const minuteMs = 60_000;
/** Deliveries that are read and saved at once. */
const batchLength = 100;

/** Paths that filters of deliveries may use. */
export const eventFilterPaths = [
  'data.handle',
  'data.effect',
  'data.bridge',
  'data.entry',
  'data.action',
  'data.linked',
  'data.record.data.',
  'meta.status',
  'meta.moment',
  'meta.replay',
];

/**
 * Lists the deliveries of the effect or bridge in the path, newest first. Errors: `api.query-malformed` (page or
 * filter); `auth.unauthorized`, `auth.forbidden`, `record.not-found` (the record cannot be read); `api.request-timeout`
 * (too many deliveries to filter).
 */
export function listEvents(kind: Kind): Action {
  const requires = toRead(kind, byPath(kind));
  return {
    requires,
    query: { names: pageNames, paths: eventFilterPaths },
    run: async (call) => {
      const page = parsePage(call.query, cursors.luid);
      const matches = parseFilters(call.query, eventFilterPaths, call.work.patternMaker);
      const subject = await subjectOf(call, requires);
      const found = matches
        ? await pageOfMatching(call, subject, page, matches)
        : (await deliveriesIn(call, subject, page)).map((one) => recordOf(call, one));
      return listAnswer(call, found, page, { cursorOf: ({ luid }) => luid });
    },
  };
}

function deliveriesIn(
  { services, ledger }: Call,
  subject: string,
  { index, limit, after }: Pick<PageQuery, 'index' | 'limit' | 'after'>,
): Promise<Delivery[]> {
  const { handle } = ledger;
  const page = { index, limit, ...(after !== undefined && { before: after }) };
  return inFairOrder(handle, () => services.deliveries.list(handle, subject, page));
}

/** Searches for one page of matches, from the newest delivery on. */
async function pageOfMatching(call: Call, subject: string, page: PageQuery, matches: Matcher) {
  const firstCount = page.index * page.limit;
  const matching: ReturnType<typeof recordOf>[] = [];
  const { work } = call;
  const isFilledBy = fillingOf();
  let skippedCount = 0;
  for await (const found of batchesOf(call, subject, page.after)) {
    for (const delivery of found) payForRow(work, delivery.data);
    for (const one of found.map((delivery) => recordOf(call, delivery)).filter(matches)) {
      if (skippedCount < firstCount) skippedCount += 1;
      else if (matching.push(one) === page.limit || isFilledBy(one)) return matching;
    }
  }
  return matching;
}

/** Yields all deliveries in batches, newest first, until the time budget is used up. Ruling 22. */
async function* batchesOf(call: Call, subject: string, after?: string): AsyncGenerator<Delivery[]> {
  const { clock } = call.services;
  const untilMs = clock() + listMsMax;
  let before = after;
  for (;;) {
    const batch = { index: 0, limit: batchLength, ...(before !== undefined && { after: before }) };
    const found = await deliveriesIn(call, subject, batch);
    yield found;
    before = found.at(-1)?.luid;
    if (found.length < batchLength) return;
    if (clock() > untilMs) throw new LedgerError('api.request-timeout', listTookTooLong);
  }
}

/**
 * Reads a delivery of the record in the path, by its luid or by the handle of its event. Errors: `auth.unauthorized`,
 * `auth.forbidden` (no permission to read the record); `record.not-found` (no such record or delivery).
 */
export function readEvent(kind: Kind): Action {
  const requires = toRead(kind, byPath(kind));
  return {
    requires,
    run: async (call) => {
      const subject = await subjectOf(call, requires);
      const found = await findDelivery(call, subject, parameterOf(call, 'delivery'));
      return { status: 200, body: recordOf(call, found) };
    },
  };
}

/**
 * Sends one delivery again, or all of the last minutes, whatever their status. Decision 17. Errors:
 * - `auth.forbidden`: no permission to send events again
 * - `record.not-found`: no such record or delivery
 * - `crypto.signature-invalid`: a proof that is needed for the permission is too old, or its data could be a record
 * - `api.request-timeout`: too many deliveries, or one keeps changing
 */
export function retryEvents(kind: Kind): Action {
  const requires = toDo('retry-event', kind, byPath(kind));
  return {
    requires,
    body: RetryBody,
    signed: 'record',
    run: requiringFreshProofs(async (call) => {
      const { handle, maxAge = maxAgeDefault } = (call.body as SignedBody).data as RetryRequest;
      const subject = await subjectOf(call, requires);
      if (handle === undefined) await replayAll(call, subject, maxAge);
      else await replay(call.services, await findDelivery(call, subject, handle));
      return { status: 202 };
    }),
  };
}

interface RetryRequest {
  readonly handle?: string;
  readonly maxAge?: number;
}

async function subjectOf(call: Call, requires: RequiredPermission<Version>): Promise<string> {
  const { record } = await requires.allow(call);
  return record.luid;
}

async function findDelivery(call: Call, subject: string, id: string): Promise<Delivery> {
  const isHandle = isLuid(id.replace(eventPrefix, '$evt.'), 'evt');
  const luid = isHandle ? deliveryLuidOf(id, subject) : id;
  const found = isLuid(luid, 'evd')
    ? await call.services.deliveries.read(call.ledger.handle, subject, luid)
    : undefined;
  if (!found) throw new LedgerError('record.not-found', 'Event not found');
  return found;
}

/**
 * Replays all deliveries accepted in the last `maxAge` minutes; 0 means all. A delivery may be accepted late and lie
 * among older events, so the walk ends at a batch without any of that age. Decision 17.
 */
async function replayAll(call: Call, subject: string, maxAge: number): Promise<void> {
  const nowMs = call.services.clock();
  const sinceMs = maxAge === 0 ? 0 : nowMs - maxAge * minuteMs;
  for await (const found of batchesOf(call, subject)) {
    const recent = found.filter(({ moment }) => Date.parse(moment) >= sinceMs);
    if (recent.length === 0) return;
    await Promise.all(recent.map((delivery) => replay(call.services, delivery, nowMs)));
  }
}

/**
 * A delivery as it is answered, with one proof for each attempt. Before the first attempt the ledger adds a proof of
 * its own, since it signs every answer. Ruling 8.
 */
function recordOf({ services, ledger }: Call, delivery: Delivery) {
  const { luid, hash, data, status, moment, replay: replayed, output } = delivery;
  const said = { luid, moment: momentOf(services.clock()), status };
  const proofs = delivery.proofs.length > 0 ? delivery.proofs : [countersign(ledger, hash, said)];
  const meta = { status, moment, replay: replayed, proofs, ...(output && { output }) };
  return { luid, hash, data, meta };
}
