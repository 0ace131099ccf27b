/**
 * Conditions once more, by another way: every value of the subject is listed under all spellings of
 * its path, and a condition looks its path up. Slow, and plain enough to be believed.
 */

export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [name: string]: Json };

/** A value, and one way to write where it is. */
interface Place {
  readonly path: string;
  readonly value: Json;
}

/** All spellings of all places below a value: an array's elements are meant with or without index. */
export function placesOf(subject: Json): Place[] {
  return below('', subject, false);
}

function below(path: string, value: Json, isIndexLeftOut: boolean): Place[] {
  const joined = (name: string | number) => (path === '' ? String(name) : `${path}.${name}`);
  if (Array.isArray(value)) {
    const elements = value as readonly Json[];
    return [
      ...elements.flatMap((element, index) =>
        // An index after an index that was left out would be read as the one that was left out.
        isIndexLeftOut ? [] : placed(joined(index), element),
      ),
      ...elements.flatMap((element) => [
        ...(isIndexLeftOut ? [] : [{ path, value: element }]),
        ...below(path, element, true),
      ]),
    ];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    isIndexLeftOut && /^\d+$/.test(name) ? [] : placed(joined(name), member),
  );
}

function placed(path: string, value: Json): Place[] {
  return [{ path, value }, ...below(path, value, false)];
}

/** Whether the subject meets one condition. */
export function meets(subject: Json, path: string, operator: string, operand: Json): boolean {
  const values = placesOf(subject)
    .filter((place) => place.path === path)
    .map(({ value }) => value);
  const some = (isWanted: (value: Json) => boolean) => values.some(isWanted);
  const order = (isWanted: (order: number) => boolean) =>
    some((value) => isWanted(orderOf(value, operand)));
  switch (operator) {
    case '$eq':
      return some((value) => isEqual(value, operand));
    case '$ne':
      return !meets(subject, path, '$eq', operand);
    case '$gt':
      return order((sign) => sign > 0);
    case '$gte':
      return order((sign) => sign >= 0);
    case '$lt':
      return order((sign) => sign < 0);
    case '$lte':
      return order((sign) => sign <= 0);
    case '$in':
      return (operand as readonly Json[]).some((each) => meets(subject, path, '$eq', each));
    case '$nin':
      return !meets(subject, path, '$in', operand);
    case '$exists':
      return values.length > 0 === operand;
    case '$regex':
      return some((value) => !isNested(value) && String(value).includes(String(operand)));
    default:
      throw new Error(`There is no operator ${operator}.`);
  }
}

/** Equal as JSON texts, once each scalar is spelled as the stored one would be. */
function isEqual(value: Json, operand: Json): boolean {
  if (value === null || operand === null) return value === operand;
  if (Array.isArray(value) || Array.isArray(operand))
    return (
      Array.isArray(value) &&
      Array.isArray(operand) &&
      value.length === operand.length &&
      value.every((each, index) => isEqual(each, operand[index]))
    );
  if (typeof value !== 'object' || typeof operand !== 'object')
    return orderOf(value, operand) === 0;
  const [left, right] = [value, operand] as { readonly [name: string]: Json }[];
  const names = new Set([...Object.keys(left ?? {}), ...Object.keys(right ?? {})]);
  return [...names].every((name) => {
    const [one, other] = [left?.[name], right?.[name]];
    return one !== undefined && other !== undefined && isEqual(one, other);
  });
}

/** Below 0, 0 or above 0; not a number when the two have no order. Moments to the millisecond. */
function orderOf(value: Json, operand: Json): number {
  if (isNested(value) || isNested(operand)) return Number.NaN;
  const text = String(operand);
  if (typeof value === 'number') return /\d$/.test(text) ? value - Number(text) : Number.NaN;
  if (typeof value === 'boolean') return String(value) === text ? 0 : Number.NaN;
  const texts = [String(value), text];
  const areMoments = texts.every((each) => /T.*(Z|[+-]\d\d:\d\d)$/.test(each));
  const [one = '', other = ''] = areMoments
    ? texts.map((each) => new Date(each).toISOString())
    : texts;
  return one < other ? -1 : one > other ? 1 : 0;
}

function isNested(value: Json): boolean {
  return value === null || typeof value === 'object';
}
