/**
 * Logs by themselves: the leaves follow each other without a gap, their tree is that of the head and of the checkpoint,
 * tiles and places are those of the leaves, and each leaf is that of a record (`logged.ts`). Decision 115.
 */
import { isValidPublic } from '../crypto/key.ts';
import { isSignedBytes } from '../crypto/proof.ts';
import { isSameBytes } from '../log/bytes.ts';
import { checkpointOf, logSigner } from '../log/checkpoint.ts';
import { keysOf } from '../log/key-table.ts';
import { hashOfLeaf, type Leaf } from '../log/leaf.ts';
import { isSignedBy } from '../log/note.ts';
import type { SeenTree } from '../log/path.ts';
import { tileWidth } from '../log/tile.ts';
import { emptyTree, grownBy, type Hash, rootOf, rootOfComplete, type Tree } from '../log/tree.ts';
import type { Scope } from '../port/ports.ts';
import {
  checkpointKeyOf,
  cosignedKeyOf,
  hashesKeyOf,
  hashesRangeOf,
  headKeyOf,
  type Key,
  loggedKeyOf,
  logKeyOf,
  nameOfItem,
  rulebookKeyOf,
  textOf,
  tileKeyOf,
} from '../store/keys.ts';
import { layoutIn, mayBeDense } from '../store/known-layouts.ts';
import { unpack } from '../store/pack.ts';
import { packHashes, type Run, type StoredLog, unpackLog, unpackRuns } from '../store/pack-log.ts';
import { placesAmong } from '../store/pack-places.ts';
import type { Item } from '../store/request.ts';
import { auditCosigned } from './cosigned.ts';
import { leafName, seenTreeOf } from './logged.ts';
import { type AuditRun, reportPhase, type SeenLog } from './run.ts';
import type { NamedItem } from './source.ts';
import { type AuditViolation, type Finding, violationOf } from './violation.ts';

type Violations = AsyncGenerator<AuditViolation, void, undefined>;

/** A log, and what its leaves have come to so far. */
interface LogWalk {
  readonly scope: Scope;
  readonly seen: SeenLog;
  readonly head: StoredLog;
  readonly checkpoint: Item | undefined;
  tree: Tree;
  hasGap: boolean;
  /** The number of runs, each of which has a place. */
  runs: number;
  /** The root of the tree at the size of the checkpoint, once the walk is there. */
  signedRoot?: Hash;
  /** The tree that somebody saw. */
  readonly seenTree: SeenTree | undefined;
  readonly cosigned: Item | undefined;
  /** The same at the size of the checkpoint that witnesses have cosigned. */
  cosignedRoot?: Hash;
  /** The roots of the full tiles of each level, of the tile that is not full yet. */
  readonly roots: Hash[][];
}

/** Checks all logs that were noted. */
export async function* auditLogs(run: AuditRun): Violations {
  for (const [scope, seen] of run.logs) {
    // In this order: the head of a running ledger goes on, and is never behind its checkpoints.
    const cosigned = await itemAt(run, cosignedKeyOf(scope));
    const checkpoint = await itemAt(run, checkpointKeyOf(scope));
    const head = await itemAt(run, logKeyOf(scope));
    if (!head) {
      yield* headless(run, scope, checkpoint ?? cosigned);
      continue;
    }
    reportPhase(run, 'checking logs');
    const seenTree = seenTreeOf(run, scope);
    const start = { tree: emptyTree, hasGap: false, runs: 0, roots: [], seenTree };
    yield* auditLog(run, { scope, seen, head: unpackLog(head), checkpoint, cosigned, ...start });
  }
}

/** Says that the head of a log is gone: places and checkpoints follow a head, and leaves come with one. */
function* headless(run: AuditRun, scope: Scope, signed: Item | undefined): Finding {
  const { places = 0, last = -1, isPacked = false } = run.logItems.get(scope) ?? {};
  const hasLeaves = !run.options.isLive && last >= 0 && !isBegun(run, scope, 0);
  if (places === 0 && !isPacked && !signed && !hasLeaves) return;
  yield violationOf(3, { scope }, 'The head of the log is gone, and the log is there.');
}

async function itemAt({ source }: AuditRun, key: Key): Promise<Item | undefined> {
  return (await source.at([key])).get(textOf(key));
}

/** Notes the items of logs that no walk would find: what lies behind the heads, and the places. */
export function noteLogItems(run: AuditRun, named: readonly NamedItem[]): void {
  for (const { name } of named) {
    if (name.item !== 'leaves' && name.item !== 'logged' && name.item !== 'places') continue;
    const counts = run.logItems.get(name.scope) ?? { places: 0, last: -1, isPacked: false };
    if (name.item === 'logged') counts.places += 1;
    else if (name.item === 'places') counts.isPacked = true;
    else counts.last = Math.max(counts.last, name.index);
    run.logItems.set(name.scope, counts);
  }
}

async function* auditLog(run: AuditRun, walk: LogWalk): Violations {
  const { scope, seen, head } = walk;
  const say = (fact: string) => violationOf(3, { scope }, fact);
  noteRoots(run, walk);
  for (let tile = 0; hasTile(run, walk, tile); tile += 1) yield* auditTile(run, walk, tile);
  const { size, peaks } = head.tree;
  const isSame =
    walk.tree.size === size && isSameBytes(packHashes(walk.tree.peaks), packHashes(peaks));
  if (!isSame) yield say(`The head of the log is not that of its ${walk.tree.size} leaves.`);
  yield* auditItems(run, walk);
  yield* await auditCheckpoint(run, walk);
  yield* checkSeen(run, walk);
  yield* auditCosigned(scope, walk.cosigned, walk.cosignedRoot);
  if (!seen.tally.isEven()) yield* auditLeaves(run, walk);
}

/**
 * True for a tile that may have leaves under the head: behind the last ones that were met there is none, unless the log went
 * on meanwhile, and then they follow each other. A damaged head may count more of them than anybody can look for.
 */
function hasTile({ logItems }: AuditRun, { scope, head, tree }: LogWalk, tile: number): boolean {
  const index = tile * tileWidth;
  const isFollowing = index <= Math.max(tree.size, logItems.get(scope)?.last ?? 0);
  return index < head.tree.size && isFollowing;
}

/** Checks what no walk over the leaves of a log finds: what lies behind its head, and the places. */
async function* auditItems(run: AuditRun, { scope, head, runs }: LogWalk): Violations {
  const say = (fact: string) => violationOf(3, { scope }, fact);
  const { size } = head.tree;
  const { places = 0, last = -1, isPacked = false } = run.logItems.get(scope) ?? {};
  // A running log goes on meanwhile, and one that stopped may have leaves without places.
  const isStill = !run.options.isLive && head.settled === size && !isBegun(run, scope, size);
  if (isStill && last >= size) yield say(`The log has leaves behind its head, at ${last}.`);
  // Places in one item are not counted: a leaf that has none there, or another one, was found above.
  if (isStill && (isPacked ? places > runs : places !== runs))
    yield say(`The log has ${places} places for ${runs} versions or parts of one.`);
  const layout = isPacked && !head.isPacked && layoutIn(await itemAt(run, rulebookKeyOf(scope)));
  if (layout && !mayBeDense(layout))
    yield say('Places of the log share items, and nothing says so: nobody looks for them.');
}

/** True where a sequencer stopped between its leaves and the head: their changes still wait, and the next one goes on. */
function isBegun({ logItems, books }: AuditRun, scope: Scope, size: number): boolean {
  return logItems.get(scope)?.last === size && [scope, ''].some((one) => books.waiting.has(one));
}

/** Checks the leaves of one tile, their places, and the tile if it is full. */
async function* auditTile(run: AuditRun, walk: LogWalk, tile: number): Violations {
  const { scope, head } = walk;
  const hashes: Hash[] = [];
  for await (const all of runsOfTile(run, scope, tile)) {
    // Those behind the head are of a running log, or of a sequencer that stopped, or else found with what lies there.
    const runs = all.filter(({ index }) => index < head.tree.size);
    for (const one of runs) {
      yield* checkGap(walk, one);
      hashes.push(...take(run, walk, one));
    }
    const settled = runs.filter(({ index }) => index < head.settled);
    yield* await misplaced(run, scope, settled);
  }
  if ((tile + 1) * tileWidth <= head.settled) yield* auditFull(run, walk, 0, tile, hashes);
}

/** Says once where the leaves cease to follow each other. */
function* checkGap(walk: LogWalk, { index }: Run): Finding {
  if (index === walk.tree.size || walk.hasGap) return;
  walk.hasGap = true;
  const fact = `The log has no leaf, or two, at ${Math.min(index, walk.tree.size)}.`;
  yield violationOf(3, { scope: walk.scope }, fact);
}

/** Adds the leaves of a run to the tree and to the tally; returns their hashes. */
function take(run: AuditRun, walk: LogWalk, { index, leaves }: Run): Hash[] {
  walk.runs += 1;
  const hashes = leaves.map(hashOfLeaf);
  for (const [count, hash] of hashes.entries()) {
    const { size, tally } = walk.seen;
    if (index + count < size) tally.see(leafName(index + count, hash));
    noteMoment(run, walk, leaves[count] as Leaf);
    walk.tree = grownBy(walk.tree, [hash]);
    noteRoots(run, walk);
  }
  return hashes;
}

function noteMoment({ report }: AuditRun, { seenTree, tree }: LogWalk, { moment }: Leaf): void {
  const { seen } = report;
  // ISO 8601 UTC texts of equal length sort as the times they name.
  if (seenTree && tree.size < seenTree.size && moment > seen.lastMoment) seen.lastMoment = moment;
}

function noteRoots({ report }: AuditRun, walk: LogWalk): void {
  const { tree, checkpoint, cosigned, seenTree } = walk;
  if (tree.size === Number(checkpoint?.['size'])) walk.signedRoot = rootOf(tree);
  if (tree.size === Number(cosigned?.['size'])) walk.cosignedRoot = rootOf(tree);
  if (tree.size === seenTree?.size)
    report.seen.isMet = !walk.hasGap && isSameBytes(rootOf(tree), seenTree.root);
}

/** Checks that the log begins with the tree that somebody saw. */
function* checkSeen({ report }: AuditRun, { scope, seenTree, tree }: LogWalk): Finding {
  if (!seenTree || report.seen.isMet) return;
  const { size } = seenTree;
  const fact =
    tree.size < size
      ? `The log has ${tree.size} leaves, and the checkpoint ${size}: what was in it is not here.`
      : `The first ${size} leaves of the log are not those under the checkpoint: it is another history.`;
  yield violationOf(3, { scope }, fact);
}

/** The runs whose place is missing, or another one. */
async function misplaced(
  run: AuditRun,
  scope: Scope,
  runs: readonly Run[],
): Promise<AuditViolation[]> {
  const keys = runs.map(({ leaves: [leaf] }) =>
    loggedKeyOf(scope, leaf?.luid ?? '', leaf?.change ?? 0),
  );
  const alone = await run.source.at(keys);
  const rest = runs.filter((_, at) => !alone.has(textOf(keys[at] as (typeof keys)[number])));
  const luids = rest.map(({ leaves: [leaf] }) => leaf?.luid ?? '');
  const places = new Map([...alone, ...(await placesAmong(run.source.pages, scope, luids))]);
  return runs.flatMap(({ index, leaves: [leaf, ...rest] }, at) => {
    const place = places.get(textOf(keys[at] as (typeof keys)[number]));
    const isRight =
      Number(place?.['index']) === index && Number(place?.['count']) === rest.length + 1;
    if (isRight || !leaf) return [];
    const subject = { scope, luid: leaf.luid, change: leaf.change };
    const difference = { expected: index, found: place && Number(place['index']) };
    return [violationOf(3, subject, 'The place of a change is not that of its leaf.', difference)];
  });
}

/** Checks a full tile, its root, and the tile above it if that is full, too. An archive has no tiles. */
async function* auditFull(
  run: AuditRun,
  walk: LogWalk,
  level: number,
  number: number,
  hashes: readonly Hash[],
): Violations {
  if (hashes.length !== tileWidth) return;
  const { scope } = walk;
  const [key, rootKey] = [tileKeyOf(scope, level, number), hashesKeyOf(scope, level + 1, number)];
  const root = rootOfComplete(hashes);
  const found = run.source.hasNoBooks ? undefined : await run.source.at([key, rootKey]);
  const isStored = (item: Item | undefined, name: string, bytes: Uint8Array) =>
    item?.[name] instanceof Uint8Array && isSameBytes(item[name], bytes);
  if (found && !isStored(found.get(textOf(key)), 'hashes', packHashes(hashes)))
    yield violationOf(
      3,
      { scope },
      `A tile of the log is missing, or another one, at '${textOf(key)}'.`,
    );
  if (found && !isStored(found.get(textOf(rootKey)), 'root', root))
    yield violationOf(
      3,
      { scope },
      `The root of a tile is missing, or another one, at '${textOf(rootKey)}'.`,
    );
  const row = walk.roots[level] ?? [];
  walk.roots[level] = row;
  row.push(root);
  if (row.length < tileWidth) return;
  walk.roots[level] = [];
  yield* auditFull(run, walk, level + 1, Math.floor(number / tileWidth), row);
}

/** Checks that the checkpoint is one of this tree, and signed by the log's signer. */
async function auditCheckpoint(
  run: AuditRun,
  { scope, checkpoint, signedRoot }: LogWalk,
): Promise<AuditViolation[]> {
  if (!checkpoint) return [];
  const key = headKeyOf(scope, 'signer', logSigner);
  const signer = await itemAt(run, key);
  const read = checkpointOf(String(checkpoint['note']));
  const say = (fact: string) => [violationOf(3, { scope }, fact)];
  if (!read || !signedRoot || read.size !== Number(checkpoint['size']))
    return say('The checkpoint of the log is none, or of a tree that the log does not have.');
  if (!isSameBytes(read.root, signedRoot))
    return say('The checkpoint of the log has another root than its leaves.');
  const keys = signer ? keysOf(unpack(signer).record) : [];
  const isSigned = keys.some(({ public: key }) => {
    const own = { name: read.origin, public: Buffer.from(key, 'base64') };
    return (
      isValidPublic(key) &&
      isSignedBy(read.note, own, (bytes, result) => isSignedBytes(bytes, result, key))
    );
  });
  return isSigned ? [] : say('The checkpoint is not signed by the signer of the log.');
}

/** Looks once more for the leaves that no record accounts for in this way. */
async function* auditLeaves(run: AuditRun, walk: LogWalk): Violations {
  const { scope, seen } = walk;
  for (let tile = 0; hasTile(run, walk, tile); tile += 1)
    for await (const runs of runsOfTile(run, scope, tile))
      for (const { index, leaves } of runs) yield* oddLeaves(scope, seen, index, leaves);
}

function* oddLeaves(scope: Scope, seen: SeenLog, index: number, leaves: Run['leaves']): Finding {
  for (const [count, leaf] of leaves.entries()) {
    const at = index + count;
    if (at >= seen.size || !seen.tally.isOdd(leafName(at, hashOfLeaf(leaf)))) continue;
    const { luid, change } = leaf;
    yield violationOf(3, { scope, luid, change }, `The leaf at ${at} is not that of its record.`);
  }
}

async function* runsOfTile(run: AuditRun, scope: Scope, tile: number): AsyncGenerator<Run[]> {
  for await (const items of run.source.pages(hashesRangeOf(scope, 0, tile)))
    yield items.flatMap((item) => {
      const name = nameOfItem(item);
      return name?.item === 'leaves' ? unpackRuns(name.index, item) : [];
    });
}
