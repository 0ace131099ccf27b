/** Claims of an intent, with amounts as people write them. */
import type { components } from './api.d.ts';

export type IntentClaim = components['schemas']['IntentData']['claims'][number];
type ClaimOf<Action extends IntentClaim['action']> = Extract<IntentClaim, { action: Action }>;
/** A handle, or an address with details. */
export type Address = ClaimOf<'transfer'>['source'];

/** An amount of a symbol, in its smallest unit. */
export interface Money {
  readonly symbol: string;
  readonly amount: number;
}

const decimalPattern = /^(\d+)(?:\.(\d+))?$/;

/**
 * A maker of amounts of a symbol with this factor, the number of its smallest units in one: 100 for cents. The text is
 * exact: a part of the smallest unit is refused with a `RangeError`, as is an amount above 2^53 - 1.
 *
 * @example
 * const usd = money('usd', 100);
 * usd('25.50') // { symbol: 'usd', amount: 2550 }
 */
export function money(symbol: string, factor: number): (text: string) => Money {
  if (!Number.isSafeInteger(factor) || factor < 1)
    throw new RangeError('The factor of a symbol is a whole number from 1.');
  return (text) => ({ symbol, amount: unitsOf(text, factor) });
}

function unitsOf(text: string, factor: number): number {
  const [, whole, part = ''] = decimalPattern.exec(text) ?? [];
  if (whole === undefined) throw new RangeError(`'${text}' is no amount; write it as 25.50.`);
  const scale = 10n ** BigInt(part.length);
  const scaled = (BigInt(whole) * scale + BigInt(part || '0')) * BigInt(factor);
  if (scaled % scale !== 0n)
    throw new RangeError(`'${text}' has a part of the smallest unit, which is 1/${factor}.`);
  const units = scaled / scale;
  if (units < 1n || units > BigInt(Number.MAX_SAFE_INTEGER))
    throw new RangeError(`'${text}' is not between 1 and 2^53 - 1 of the smallest unit.`);
  return Number(units);
}

/** Moves an amount from one wallet to another. */
export function transfer(source: Address, target: Address, money: Money): ClaimOf<'transfer'> {
  return { action: 'transfer', source, target, ...money };
}

/** Creates an amount in a wallet. */
export function issue(target: Address, money: Money): ClaimOf<'issue'> {
  return { action: 'issue', target, ...money };
}

/** Takes an amount out of a wallet, and out of the world. */
export function destroy(source: Address, money: Money): ClaimOf<'destroy'> {
  return { action: 'destroy', source, ...money };
}
