/** Instances of a function: each serves one at a time, and is kept for the next one. */
export interface Pool<One> {
  readonly take: () => One;
  readonly give: (one: One) => void;
}

/** Instances that are free, the last used first; a new one is made when there is none. */
export function poolOf<One>(make: () => One): Pool<One> {
  const free: One[] = [];
  return { take: () => free.pop() ?? make(), give: (one) => void free.push(one) };
}
