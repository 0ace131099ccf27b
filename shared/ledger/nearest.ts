/** Suggests the known name that is closest to a misspelled one, for error messages. */

/** A longer text is no typing error, and comparing takes time that grows with its length. */
const lengthMax = 64;

/** The known name with the fewest changed letters, at most a third of the text; the first of equals. */
export function nearestOf(written: string, known: readonly string[]): string | undefined {
  if (written.length > lengthMax) return undefined;
  const most = Math.max(1, Math.floor(written.length / 3));
  let nearest: { readonly name: string; readonly distance: number } | undefined;
  for (const name of known) {
    const distance = distanceOf(written.toLowerCase(), name.toLowerCase());
    if (distance <= most && distance < (nearest?.distance ?? Number.POSITIVE_INFINITY))
      nearest = { name, distance };
  }
  return nearest?.name;
}

/** The number of letters to insert, delete, replace, or swap with their neighbour. */
function distanceOf(one: string, other: string): number {
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 1; at <= one.length; at += 1) {
    const next = [at];
    for (let to = 1; to <= other.length; to += 1) {
      const isSame = one[at - 1] === other[to - 1];
      const isSwapped = one[at - 1] === other[to - 2] && one[at - 2] === other[to - 1];
      const changed = Math.min(
        valueAt(row, to) + 1,
        valueAt(next, to - 1) + 1,
        valueAt(row, to - 1) + (isSame ? 0 : 1),
      );
      next.push(isSwapped ? Math.min(changed, valueAt(before, to - 2) + 1) : changed);
    }
    [before, row] = [row, next];
  }
  return valueAt(row, other.length);
}

function valueAt(row: readonly number[], index: number): number {
  return row[index] as number;
}
