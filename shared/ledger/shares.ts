/**
 * Divides the work for the rules of all domains. A domain keeps half of what it receives and divides the rest equally
 * among the domains inside it. Its share thus depends on the domains around it and on its siblings, which the owner of
 * the outer domain created. It never depends on what it contains, nor on the number of domains elsewhere. Decision 83.
 */

interface Node {
  readonly name: string;
  readonly inner: Map<string, Node>;
}

/**
 * The units for each domain: `all` in total, at most `most` for one. A lineage is a domain and those that contain it.
 */
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

/** A domain with those that contain it, innermost first; `above` maps a domain to the one that contains it. */
export function lineageAmong(above: ReadonlyMap<string, string>, domain: string): string[] {
  const lineage = new Set<string>();
  for (let next: string | undefined = domain; next !== undefined; next = above.get(next)) {
    // Domains that contain each other have no outermost one.
    if (lineage.has(next)) break;
    lineage.add(next);
  }
  return [...lineage];
}
