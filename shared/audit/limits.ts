/**
 * Invariant 2, for limits: each limit of a balance is the one that an intent has set last, and none is missing. Memory
 * grows with the limits. Rulings 41 and 45.
 */
import { isLuid, timeOfLuid } from '../crypto/luid.ts';
import { settingsOfIntent } from '../ledger/limit.ts';
import type { Version } from '../ledger/record.ts';
import type { Scope } from '../port/ports.ts';
import { balanceKeyOf, textOf } from '../store/keys.ts';
import type { Item } from '../store/request.ts';
import { claimsIn } from './claimed.ts';
import type { AuditRun, LastLimit, LimitedBalance } from './run.ts';
import { type AuditViolation, type Finding, violationOf } from './violation.ts';
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
export function noteLimits(run: AuditRun, scope: Scope, version: Version): void {
  const settings = claimsIn(version.record.data) ? settingsOfIntent(version) : [];
  const word = wordsOf(version).find((one) => isOfStatus(one) && moving.has(one['status']));
  if (settings.length === 0 || !word) return;
  const { luid: intent } = version.record;
  for (const { wallet, symbol, metric, amount } of settings) {
    const { set } = noteLimited(run, { scope, wallet, symbol });
    set.set(metric, later(set.get(metric), String(word['moment']), { amount, intent }));
  }
}

function later(
  before: LastLimit | undefined,
  moment: string,
  way: LastLimit['ways'][number],
): LastLimit {
  // ISO 8601 UTC texts of equal length sort as the times they name.
  if (before && before.moment > moment) return before;
  return { moment, ways: [...(before?.moment === moment ? before.ways : []), way] };
}

/** Compares limits with what intents have set, where nothing changes meanwhile. */
export async function* auditLimits(run: AuditRun): AsyncGenerator<AuditViolation, void, undefined> {
  if (run.options.isLive) return;
  const all = [...run.limited.values()];
  for (let start = 0; start < all.length; start += chunkLength) {
    const some = all.slice(start, start + chunkLength);
    const keys = some.map(({ scope, wallet, symbol }) => balanceKeyOf(scope, wallet, symbol));
    const items = await run.source.at(keys);
    for (const [index, one] of some.entries()) {
      const item = items.get(textOf(keys[index] as (typeof keys)[number]));
      if (item) yield* checkLimits(one, item);
    }
  }
}

function* checkLimits({ scope, wallet, symbol, set }: LimitedBalance, item: Item): Finding {
  const subject = { scope, kind: 'wallet', handle: wallet, luid: String(item['wallet']) } as const;
  const limits = (item['limits'] ?? {}) as Readonly<Record<string, Item>>;
  for (const [metric, limit] of Object.entries(limits)) {
    const { moment, ways } = set.get(metric) ?? { moment: '', ways: [] };
    const isSet = ways.some(
      ({ amount, intent }) => Number(limit['amount']) === amount && limit['intent'] === intent,
    );
    if (isSet && limit['moment'] === moment) continue;
    const fact = `The limit ${metric} of ${symbol} is not the one that an intent set last.`;
    const found = {
      amount: Number(limit['amount']),
      intent: limit['intent'],
      moment: limit['moment'],
    };
    yield violationOf(2, subject, fact, { expected: { moment, ways }, found });
  }
  // An earlier wallet of this handle may have had limits, too.
  const bornMs = isLuid(subject.luid) ? timeOfLuid(subject.luid) : 0;
  for (const [metric, { moment }] of set)
    if (!limits[metric] && Date.parse(moment) >= bornMs)
      yield violationOf(2, subject, `The limit ${metric} of ${symbol} is missing.`);
}
