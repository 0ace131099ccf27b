/** Removing duplicates: DynamoDB refuses a request that names an item twice. */

/** The first of the things with the same name, in their order. */
export function distinctBy<Thing>(
  things: readonly Thing[],
  nameOf: (thing: Thing) => string,
): Thing[] {
  const byName = new Map<string, Thing>();
  for (const thing of things) {
    const name = nameOf(thing);
    if (!byName.has(name)) byName.set(name, thing);
  }
  return [...byName.values()];
}
