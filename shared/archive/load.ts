/**
 * Importing an archive: what it stands for is put into a table in which there is no such ledger. Nobody can use the
 * ledger before all of it is there: its key comes last, and behind that only what workers look for. What is there
 * already and is the same is left alone, and what is another thing is refused, so that an import that was broken off
 * goes on. Decision 72.
 */
import { randomUUID } from 'node:crypto';
import type { Scope } from '../action/ports.ts';
import { mentionsOf } from '../store/catalog.ts';
import { put } from '../store/item-action.ts';
import { headKeyOf, importKeyOf, itemOf, type Key, secretKeyOf, textOf } from '../store/keys.ts';
import { mark } from '../store/outbox.ts';
import { unpack } from '../store/pack.ts';
import { itemsAt } from '../store/read.ts';
import { remove } from '../store/remove.ts';
import { type Item, type Table, transact } from '../store/request.ts';
import { deadlineIn, natureOf, repeating } from '../store/retry.ts';
import { writeAll } from '../store/write-all.ts';
import { ArchiveFault } from './form.ts';
import { isSameItem, keyOf } from './same.ts';
import type { Shelf } from './shelf.ts';
import { type Stage, stageOf, stages } from './stage.ts';
import { standing } from './standing.ts';

export interface LoadOptions {
  readonly table: Table;
  readonly ledger: Scope;
  readonly shelf: Shelf;
  /** What tells the archive from others. */
  readonly sha256: string;
  /** Whether an import of it that was broken off goes on. */
  readonly isResumed: boolean;
  /** How many items are put between two notes of how far it got. */
  readonly stepLength?: number;
  readonly onProgress?: (done: number) => void;
}

/** What an import did. */
export interface Loaded {
  items: number;
  /** How many of them were there already. */
  same: number;
}

/** How far an import got: the last item that is there for sure. */
interface Position {
  readonly stage: Stage;
  readonly key?: Key;
}

const isAbsent = 'attribute_not_exists(pk)';
const chunkLength = 100;
const stepLengthDefault = 2_000;

/** Puts a ledger into a table. */
export async function load(options: LoadOptions): Promise<Loaded> {
  const { table, ledger, shelf, onProgress, stepLength = stepLengthDefault } = options;
  const from = await claim(options);
  const loaded: Loaded = { items: 0, same: 0 };
  for (const stage of stages.slice(stages.indexOf(from.stage))) {
    const start = stage === from.stage ? from.key : undefined;
    let [chunk, open]: [Item[], number] = [[], 0];
    const flush = async (): Promise<void> => {
      await putChunk(options, stage, chunk, loaded);
      onProgress?.(loaded.items);
      open += chunk.length;
      const last = chunk.at(-1);
      chunk = [];
      if (!last || open < stepLength) return;
      open = 0;
      await keep(options, { stage, key: keyOf(last) });
    };
    for await (const item of shelf.from(start, (pk) => stageOf(pk, ledger) === stage)) {
      chunk.push(item);
      if (chunk.length === chunkLength) await flush();
    }
    await flush();
    const next = stages[stages.indexOf(stage) + 1];
    if (next) await keep(options, { stage: next });
  }
  await remove(table, [importKeyOf(ledger)], deadlineIn(table.deadlineMs));
  return loaded;
}

/** Makes the handle of the ledger ours, or finds how far we came with it. */
async function claim(options: LoadOptions): Promise<Position> {
  const { table, ledger, shelf, sha256, isResumed } = options;
  const [note, head, secret] = [
    importKeyOf(ledger),
    headKeyOf('', 'ledger', ledger),
    secretKeyOf(ledger),
  ];
  const found = await itemsAt(table, [note, head, secret], deadlineIn(table.deadlineMs));
  const begun = found.get(textOf(note));
  if (begun) return positionOf(begun, options);
  if (found.has(textOf(head)) || found.has(textOf(secret)))
    throw new ArchiveFault(
      `There is a ledger '${ledger}' in this table already. An archive is imported where there is none.`,
    );
  if (isResumed) throw new ArchiveFault(`No import of the ledger '${ledger}' was begun here.`);
  const record = await shelf.at(head);
  if (!record) throw new ArchiveFault(`The archive has no record of the ledger '${ledger}'.`);
  const position: Position = { stage: stages[0] };
  const actions = [
    put(table.tableName, note, { sha256, ...position }, isAbsent),
    put(table.tableName, head, record, isAbsent),
  ];
  const token = randomUUID();
  try {
    await repeating(deadlineIn(table.deadlineMs), () => transact(table, token, actions));
  } catch (error) {
    if (natureOf(error) !== 'refused') throw error;
    throw new ArchiveFault(`Somebody else is making a ledger '${ledger}' in this table.`);
  }
  return position;
}

function positionOf(begun: Item, { ledger, sha256, isResumed }: LoadOptions): Position {
  if (begun['sha256'] !== sha256)
    throw new ArchiveFault(
      `An import of another archive of '${ledger}' has not ended here, that of sha256 ${begun['sha256']}.`,
    );
  if (!isResumed)
    throw new ArchiveFault('The import of this archive was broken off. Go on with --resume.');
  const { stage, at } = begun as { stage: Stage; at?: Key };
  return at ? { stage, key: at } : { stage };
}

/** Notes how far it got. Whoever goes on from there may find what came behind, which is the same. */
async function keep({ table, ledger, sha256 }: LoadOptions, { stage, key }: Position) {
  const note = { ...importKeyOf(ledger), sha256, stage, ...(key && { at: key }) };
  await writeAll(table, { puts: [note] }, deadlineIn(table.deadlineMs));
}

async function putChunk(
  options: LoadOptions,
  stage: Stage,
  chunk: readonly Item[],
  loaded: Loaded,
): Promise<void> {
  const { table } = options;
  const deadline = deadlineIn(table.deadlineMs);
  const marks = chunk.filter(isOfServer);
  const items =
    stage === 'work' ? await standing(options, chunk) : chunk.filter((one) => !isOfServer(one));
  const found = await itemsAt(table, items.map(keyOf), deadline);
  const missing = items.filter((item) => {
    const other = found.get(textOf(keyOf(item)));
    if (other && !isSameItem(item, other))
      throw new ArchiveFault(
        `There is something else at '${textOf(keyOf(item))}' in the table than in the archive.`,
      );
    return !other;
  });
  // A record that is there is mentioned: so its mentions come first.
  await writeAll(table, { puts: items.flatMap(mentionsOfItem) }, deadline);
  await writeAll(table, { puts: missing }, deadline);
  for (const item of marks) {
    const name = itemOf(String(item['pk']), String(item['sk']));
    if (name?.item === 'told')
      await mark(table, { ...name, place: String(item['place']) }, deadline);
  }
  loaded.items += chunk.length;
  loaded.same += items.length - missing.length;
}

/** Whether it is how far the server has told its own signals: it may have told more than it had then. */
function isOfServer(item: Item): boolean {
  const name = itemOf(String(item['pk']), String(item['sk']));
  return name?.item === 'told' && name.scope === '';
}

/** What a record is found by. Ruling 23. */
function mentionsOfItem(item: Item): Item[] {
  const name = itemOf(String(item['pk']), String(item['sk']));
  return name?.item === 'head' ? mentionsOf(name.scope, unpack(item)) : [];
}
