/**
 * Refuses conditions on what no subject has: they would hold never or, as `$ne`, always, and their author would get no
 * error. What was stored before is judged as it was. Decisions 107 and 158.
 */
import { LedgerError } from './errors.ts';
import { nearestOf } from './nearest.ts';

/** The members that a path may begin with; and what follows a member, where that is known. */
export type KnownMembers = Readonly<Record<string, readonly string[] | undefined>>;

/** The members of every record. */
export const membersOfRecord: readonly string[] = ['luid', 'hash', 'data', 'meta'];

/** The known members of these names, whatever follows them. */
export function anythingIn(names: readonly string[]): KnownMembers {
  return Object.fromEntries(names.map((name) => [name, undefined]));
}

/** The member that a path begins with. */
export function memberOf(path: string): string {
  return path.replace(/\..*/s, '');
}

/**
 * Refuses with `record.invalid` a path that leads to no member of `subject`, as the refusal calls it, and names the
 * nearest. The paths are bounded: `parseConditions` has taken them.
 */
export function assertMembers(
  conditions: Readonly<Record<string, unknown>> = {},
  known: KnownMembers,
  subject: string,
): void {
  for (const path of Object.keys(conditions)) {
    const [first = '', ...further] = path.split('.');
    if (!Object.hasOwn(known, first))
      throw unknownMember(
        path,
        `begins with no member of ${subject}`,
        Object.keys(known),
        path.split('.'),
      );
    const within = known[first];
    if (within && further[0] !== undefined && !within.includes(further[0]))
      throw unknownMember(path, `leads to no member of ${first} in ${subject}`, within, further);
  }
}

/** The refusal of a path. A known name behind the unknown one is meant, as in `data.handle`, when no name is like it. */
function unknownMember(
  path: string,
  what: string,
  known: readonly string[],
  [written = '', next = '']: readonly string[],
) {
  const nearest = nearestOf(written, known) ?? (known.includes(next) ? next : undefined);
  const hint =
    nearest === undefined ? `, only ${known.join(', ')}.` : `; the nearest is '${nearest}'.`;
  const detail = `Filter '${path}' ${what}${hint}`;
  return new LedgerError('record.invalid', detail, { filter: path, ...(nearest && { nearest }) });
}
