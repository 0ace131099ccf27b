/** What was sent, or is on its way, to the target of an effect; and sending it again. Ruling 60. */
import { isLuid, namedLuid, timeOfLuid } from '../crypto/luid.ts';
import { LedgerError } from '../ledger/errors.ts';
import type { Matcher } from '../ledger/match.ts';
import { parseFilters } from '../ledger/query.ts';
import { RetryBody } from '../shape/effect.ts';
import type { SignedBody } from '../shape/record.ts';
import type { Action, Call } from './action.ts';
import type { Delivery } from './deliveries.ts';
import { findRecord, parameterOf } from './find.ts';
import { listAnswer, parsePage } from './list.ts';
import type { Page } from './ports.ts';
import { countersign, momentOf } from './sign.ts';

const maxAgeDefault = 60;
const minuteMs = 60_000;
/** How many deliveries are read, and how many saved at once, while all are sent again. */
const batchLength = 100;
const eventPrefix = 'evt_';
/** The time budget of a list, in milliseconds. Ruling 22. */
const listMsMax = 20_000;
const tooBroad = 'The list took too long; narrow the filters.';

/** The luid of an event's delivery to an effect: made again it is the same. */
export function deliveryLuidOf(eventHandle: string, effectLuid: string): string {
  const momentMs = timeOfLuid(eventHandle.replace(eventPrefix, '$evt.'));
  return namedLuid('evd', momentMs, `${eventHandle} ${effectLuid}`);
}

/** What deliveries can be filtered by. */
const filterPaths = [
  'data.handle',
  'data.effect',
  'data.linked',
  'data.record.data.',
  'meta.status',
  'meta.moment',
  'meta.replay',
];

/** Lists the deliveries of the effect that the path names, newest first. */
export const listEvents: Action = {
  run: async (call) => {
    const page = parsePage(call.query);
    const matches = parseFilters(call.query, filterPaths, call.services.patternMaker);
    const effect = await effectOf(call);
    const found = matches
      ? await pageOfMatching(call, effect, page, matches)
      : (await call.services.deliveries.list(call.ledger.handle, effect, page)).map((one) =>
          recordOf(call, one),
        );
    return listAnswer(call, found, page);
  },
};

/** A page of what matches, looked for from the newest on, as long as a request may take. */
async function pageOfMatching(call: Call, effect: string, page: Page, matches: Matcher) {
  const { clock, deliveries } = call.services;
  const untilMs = clock() + listMsMax;
  const wantedCount = (page.index + 1) * page.limit;
  const matching: ReturnType<typeof recordOf>[] = [];
  for (let index = 0; matching.length < wantedCount; index += 1) {
    const batch = { index, limit: batchLength };
    const found = await deliveries.list(call.ledger.handle, effect, batch);
    matching.push(...found.map((one) => recordOf(call, one)).filter(matches));
    if (found.length < batchLength) break;
    if (clock() > untilMs) throw new LedgerError('api.request-timeout', tooBroad);
  }
  return matching.slice(page.index * page.limit, wantedCount);
}

/** Reads one delivery of the effect that the path names, by luid or by the event's handle. */
export const readEvent: Action = {
  run: async (call) => {
    const found = await findDelivery(call, await effectOf(call), parameterOf(call, 'delivery'));
    return { status: 200, body: recordOf(call, found) };
  },
};

/** Sends one delivery again, or all of the last minutes, whatever became of them. Decision 17. */
export const retryEvents: Action = {
  body: RetryBody,
  signed: 'record',
  run: async (call) => {
    const { handle, maxAge = maxAgeDefault } = (call.body as SignedBody).data as RetryWish;
    const effect = await effectOf(call);
    if (handle !== undefined) await replay(call, await findDelivery(call, effect, handle));
    else await replayAll(call, effect, maxAge);
    return { status: 202 };
  },
};

interface RetryWish {
  readonly handle?: string;
  readonly maxAge?: number;
}

/** The luid of the effect that the path names. */
async function effectOf(call: Call): Promise<string> {
  const { record } = await findRecord(call, 'effect', parameterOf(call, 'id'));
  return record.luid;
}

async function findDelivery(call: Call, effect: string, id: string): Promise<Delivery> {
  const isHandle = isLuid(id.replace(eventPrefix, '$evt.'), 'evt');
  const luid = isHandle ? deliveryLuidOf(id, effect) : id;
  const found = isLuid(luid, 'evd')
    ? await call.services.deliveries.read(call.ledger.handle, effect, luid)
    : undefined;
  if (!found) throw new LedgerError('record.not-found', 'Event not found');
  return found;
}

/** Sends everything again that was accepted in the last minutes; 0 takes all there is. */
async function replayAll(call: Call, effect: string, maxAge: number): Promise<void> {
  const { clock, deliveries } = call.services;
  const sinceMs = maxAge === 0 ? 0 : clock() - maxAge * minuteMs;
  for (let index = 0; ; index += 1) {
    const page = { index, limit: batchLength };
    const found = await deliveries.list(call.ledger.handle, effect, page);
    const recent = found.filter(({ moment }) => Date.parse(moment) >= sinceMs);
    await Promise.all(recent.map((delivery) => replay(call, delivery)));
    if (recent.length < batchLength) return;
  }
}

/** Makes a delivery due now, from its first attempt; one that is being attempted is due anyway. */
async function replay({ services }: Call, delivery: Delivery): Promise<void> {
  const next: Delivery = {
    ...delivery,
    status: 'pending',
    replay: delivery.replay + 1,
    attempts: 0,
    dueMs: services.clock(),
    version: delivery.version + 1,
  };
  await services.deliveries.save(next, delivery);
}

/**
 * A delivery as it is answered, with one proof for each attempt; before the first one the ledger says
 * that it is on its way, since it signs every answer. Ruling 8.
 */
function recordOf({ services, ledger }: Call, delivery: Delivery) {
  const { luid, hash, data, status, moment, replay: replayed, output } = delivery;
  const said = { luid, moment: momentOf(services.clock()), status };
  const proofs = delivery.proofs.length > 0 ? delivery.proofs : [countersign(ledger, hash, said)];
  const meta = { status, moment, replay: replayed, proofs, ...(output && { output }) };
  return { luid, hash, data, meta };
}
