/** Checks of the log in the end: each change has one leaf, and no checkpoint was ever contradicted. Decision 115. */
import { isSameBytes } from '../../shared/log/bytes.ts';
import { checkpointOf } from '../../shared/log/checkpoint.ts';
import { hashOfLeaf, type Leaf, leavesOf, logOf } from '../../shared/log/leaf.ts';
import { emptyTree, grownBy, rootOf } from '../../shared/log/tree.ts';
import type { Commit } from '../../shared/port/ports.ts';
import { type Ledger, main } from './ledger.ts';

/** All that is wrong with the log of a ledger in which nothing is under way. */
export async function wrongLog(ledger: Ledger): Promise<string[]> {
  const { memory, sign, checkpoints } = ledger;
  await sign(main);
  const state = await memory.logs.read(main);
  if (!state) return ['There is no log.'];
  const leaves = await leavesIn(ledger, state.tree.size);
  const [logged, expected] = [leaves.map(textOf), changesIn(ledger).map(textOf)];
  const [isLogged, isExpected] = [new Set(logged), new Set(expected)];
  return [
    ...expected.filter((text) => !isLogged.has(text)).map((text) => `no leaf of ${text}`),
    ...logged.filter((text) => !isExpected.has(text)).map((text) => `a leaf of nothing: ${text}`),
    ...logged.filter((text, at) => logged.indexOf(text) < at).map((text) => `twice: ${text}`),
    ...(state.isWhole ? [] : ['the log is not whole']),
    ...(checkpoints.at(-1)?.size === leaves.length ? [] : ['a leaf is under no checkpoint']),
    ...checkpoints.flatMap(({ note }) => wrongCheckpoint(note, leaves)),
  ];
}

async function leavesIn({ memory }: Ledger, size: number): Promise<Leaf[]> {
  const tiles = Array.from({ length: Math.ceil(size / 256) }, (_, number) =>
    memory.logs.leaves(main, number, Math.min(256, size - number * 256)),
  );
  return (await Promise.all(tiles)).flat();
}

/** The leaves of all that was committed. */
function changesIn({ written }: Ledger): Leaf[] {
  return written.flatMap(({ port, method, values, answer }) => {
    const isStored = port === 'store' && method === 'commit' && (answer as unknown[]).length === 0;
    if (!isStored) return [];
    const { writes } = values[0] as Commit;
    return writes.flatMap(({ scope, next }) => (logOf(scope, next) === main ? leavesOf(next) : []));
  });
}

/** A checkpoint that is not that of the first leaves. */
function wrongCheckpoint(note: string, leaves: readonly Leaf[]): string[] {
  const checkpoint = checkpointOf(note);
  if (!checkpoint) return [`no checkpoint: ${note}`];
  const tree = grownBy(emptyTree, leaves.slice(0, checkpoint.size).map(hashOfLeaf));
  const isRight = tree.size === checkpoint.size && isSameBytes(rootOf(tree), checkpoint.root);
  return isRight ? [] : [`a checkpoint of another tree, with ${checkpoint.size} leaves`];
}

function textOf({ luid, change, hash, moment, proofs }: Leaf): string {
  return [luid, change, hash, moment, proofs].join(' ');
}
