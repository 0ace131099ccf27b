/**
 * Invariant 2, for limits: each limit of a balance is the one that an intent has set last, and none is missing. Memory
 * grows with the limits. Rulings 41 and 45.
 */
import { isLuid, timeOfLuid } from '../crypto/luid.ts';
import { settingsOfIntent } from '../ledger/limit.ts';
import { balanceKeyOf, changeKeyOf, type Key, nameOfItem, textOf } from '../store/keys.ts';
import type { Item } from '../store/request.ts';
import { claimsIn } from './claimed.ts';
import { type ItemHistory, placeKeyOf, pointerOf, storedOf, versionsOf } from './history.ts';
import type { AuditRun, LimitedBalance, SetLimit } from './run.ts';
import {
  type AuditViolation,
  type Finding,
  type ViolationSubject,
  violationOf,
} from './violation.ts';
import { isOfStatus, wordsOf } from './word.ts';

type BalancePlace = Omit<LimitedBalance, 'set'>;

const moving: ReadonlySet<unknown> = new Set(['committed', 'completed']);
const chunkLength = 100;

/** Notes a balance that has limits. */
export function noteLimited({ limited }: AuditRun, place: BalancePlace): LimitedBalance {
  const { scope, wallet, symbol } = place;
  const name = [scope, wallet, symbol].join('#');
  const known = limited.get(name) ?? { scope, wallet, symbol, set: new Map() };
  limited.set(name, known);
  return known;
}

/** Notes the limits that an intent has set. */
export function noteLimits(run: AuditRun, history: ItemHistory): void {
  const { scope, items } = history;
  const versions = versionsOf(history);
  const version = versions.at(-1);
  const settings = version && claimsIn(version.record.data) ? settingsOfIntent(version) : [];
  const word =
    version && wordsOf(version).find((one) => isOfStatus(one) && moving.has(one['status']));
  if (!version || settings.length === 0 || !word) return;
  const { luid: intent } = version.record;
  const moved = versions.find(({ steps }) => steps.some(({ status }) => moving.has(status)));
  const index = moved && items.get(textOf(placeKeyOf(history, moved)))?.['index'];
  const about = {
    ...{ intent, moment: String(word['moment']) },
    ...(index !== undefined && { index: Number(index) }),
  };
  const nowMs = run.options.nowMs();
  for (const { wallet, symbol, metric, amount } of settings) {
    const { set } = noteLimited(run, { scope, wallet, symbol });
    const one = { amount, ...about };
    const others = (set.get(metric) ?? []).filter((other) => !isBefore(other, one, nowMs));
    set.set(
      metric,
      others.some((other) => isBefore(one, other, nowMs)) ? others : [...others, one],
    );
  }
}

/**
 * True where moments tell that a setting was before another one: the log says nothing else, and without it, the later moment
 * is not in the future. A clock may have been set back. Decision 87.
 */
function isBefore(one: SetLimit, other: SetLimit, nowMs: number): boolean {
  // ISO 8601 UTC texts of equal length sort as the times they name.
  if (one.moment >= other.moment) return false;
  const isLogged = one.index !== undefined && other.index !== undefined;
  return isLogged ? Number(one.index) < Number(other.index) : Date.parse(other.moment) <= nowMs;
}

/** A limit that is not there, with the moment at which it was set last. */
interface MissingLimit {
  readonly subject: ViolationSubject & { readonly handle: string };
  readonly fact: string;
  readonly moment: string;
}

/** Compares limits with what intents have set, where nothing changes meanwhile. */
export async function* auditLimits(run: AuditRun): AsyncGenerator<AuditViolation, void, undefined> {
  if (run.options.isLive) return;
  const all = [...run.limited.values()];
  const missing: MissingLimit[] = [];
  for (let start = 0; start < all.length; start += chunkLength) {
    const some = all.slice(start, start + chunkLength);
    const keys = some.map(({ scope, wallet, symbol }) => balanceKeyOf(scope, wallet, symbol));
    const items = await run.source.at(keys);
    for (const [index, one] of some.entries()) {
      const item = items.get(textOf(keys[index] as (typeof keys)[number]));
      if (!item) continue;
      yield* checkLimits(one, item);
      missing.push(...missingIn(one, item));
    }
  }
  for (const one of missing)
    if (one.moment > (await lastEndOf(run, one.subject)))
      yield violationOf(2, one.subject, one.fact);
}

function* checkLimits({ set, ...place }: LimitedBalance, item: Item): Finding {
  for (const [metric, limit] of Object.entries(limitsIn(item))) {
    const expected = set.get(metric) ?? [];
    const found = {
      amount: Number(limit['amount']),
      intent: limit['intent'],
      moment: limit['moment'],
    };
    const isSet = expected.some(
      ({ amount, intent, moment }) =>
        found.amount === amount && found.intent === intent && found.moment === moment,
    );
    if (isSet) continue;
    const fact = `The limit ${metric} of ${place.symbol} is not the one that an intent set last.`;
    yield violationOf(2, subjectIn(place, item), fact, { expected, found });
  }
}

/** The limits that are not there, but for those of an earlier wallet of this handle. */
function missingIn({ set, ...place }: LimitedBalance, item: Item): MissingLimit[] {
  const subject = subjectIn(place, item);
  const bornMs = isLuid(subject.luid) ? timeOfLuid(subject.luid) : 0;
  return [...set].flatMap(([metric, ways]) => {
    const moment =
      ways
        .map((one) => one.moment)
        .sort()
        .at(-1) ?? '';
    if (limitsIn(item)[metric] || Date.parse(moment) < bornMs) return [];
    return { subject, moment, fact: `The limit ${metric} of ${place.symbol} is missing.` };
  });
}

/**
 * The moment at which the last of the earlier wallets of this handle has ended, which a clock that was set back makes later
 * than the birth of this one; the empty text where there was none. Decision 87.
 */
async function lastEndOf(
  { source }: AuditRun,
  { scope, handle }: MissingLimit['subject'],
): Promise<string> {
  const keys: Key[] = [];
  for await (const items of source.outlines([scope]))
    for (const item of items) {
      const name = nameOfItem(item);
      if (name?.item !== 'pointer' || item['handle'] !== handle) continue;
      const { kind, dropped } = pointerOf({ kind: 'wallet', luid: name.luid }, item);
      if (kind === 'wallet' && dropped !== undefined)
        keys.push(changeKeyOf(scope, name.luid, dropped));
    }
  const ends = [...(await source.at(keys)).values()].flatMap((item) => {
    const stored = storedOf(item);
    return 'version' in stored ? (stored.version.steps.at(-1)?.moment ?? []) : [];
  });
  return ends.sort().at(-1) ?? '';
}

function limitsIn(item: Item): Readonly<Record<string, Item>> {
  return (item['limits'] ?? {}) as Readonly<Record<string, Item>>;
}

function subjectIn(
  { scope, wallet }: BalancePlace,
  item: Item,
): MissingLimit['subject'] & { readonly luid: string } {
  return { scope, kind: 'wallet', handle: wallet, luid: String(item['wallet']) };
}
