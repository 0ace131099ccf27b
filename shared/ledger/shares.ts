/**
 * How the work that there is for the rules of all domains is shared out. A domain takes a half of what comes to it, and
 * what is left of it comes to those that lie in it, to each as much as to the others. So what a domain has depends on
 * those that it lies in and on its neighbours there, which whoever owns the one above has made; and not on what lies in
 * it, nor on how many others have made elsewhere. Decision 83.
 */

interface Node {
  readonly name: string;
  readonly inner: Map<string, Node>;
}

/** The units of each domain, of so many in all; `lineages` are domains with those that they lie in, nearest first. */
export function sharesOf(
  lineages: Iterable<readonly string[]>,
  { all, most }: { readonly all: number; readonly most: number },
): ReadonlyMap<string, number> {
  const shares = new Map<string, number>();
  let level = [{ node: treeOf(lineages), units: all }];
  while (level.length > 0) {
    level = level.flatMap(({ node: { inner }, units }) =>
      [...inner.values()].map((node) => {
        const received = units / inner.size;
        const own = Math.min(most, received / 2);
        shares.set(node.name, Math.floor(own));
        return { node, units: received - own };
      }),
    );
  }
  return shares;
}

function treeOf(lineages: Iterable<readonly string[]>): Node {
  const root: Node = { name: '', inner: new Map() };
  for (const lineage of lineages) {
    let node = root;
    for (const name of lineage.toReversed()) {
      const next = node.inner.get(name) ?? { name, inner: new Map() };
      node.inner.set(name, next);
      node = next;
    }
  }
  return root;
}

/** A domain and those that it lies in, nearest first; `above` says of each in which one it lies. */
export function lineageAmong(above: ReadonlyMap<string, string>, domain: string): string[] {
  const lineage = new Set<string>();
  for (let next: string | undefined = domain; next !== undefined; next = above.get(next)) {
    // Those that were written to lie in one another have no outermost one.
    if (lineage.has(next)) break;
    lineage.add(next);
  }
  return [...lineage];
}
