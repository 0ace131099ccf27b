/**
 * The owner and progress of an import: a note in the table that names the writing process. A process that resumes the
 * import puts its own name there, and the one before stops, however long it slept meanwhile. Decision 72.
 */
import { randomUUID } from 'node:crypto';
import type { Scope } from '../port/ports.ts';
import { put, remove } from '../store/item-action.ts';
import { headKeyOf, importKeyOf, type Key, secretKeyOf, textOf } from '../store/keys.ts';
import { itemsAt } from '../store/read.ts';
import { type Item, type ItemAction, type Table, transact } from '../store/request.ts';
import { deadlineIn, natureOf, repeating } from '../store/retry.ts';
import { ArchiveError } from './form.ts';
import type { SortedItems } from './sorted-items.ts';

/** The stages of an import: records and attachments; the record of the ledger; its key; work for workers. */
export const stages = ['records', 'ledger', 'key', 'work'] as const;
export type Stage = (typeof stages)[number];

const families: ReadonlySet<string | undefined> = new Set(['due', 'expiry', 'work', 'outbox']);

/** The stage in which the items of a partition come. */
export function stageOf(pk: string, ledger: Scope): Stage {
  const [scope, family] = pk.split('#');
  if (families.has(family)) return 'work';
  // With its key the ledger is in use, so all other items must be there before.
  if (pk === secretKeyOf(ledger).pk) return 'key';
  return scope === '' ? 'ledger' : 'records';
}

export interface ClaimOptions {
  readonly table: Table;
  readonly ledger: Scope;
  readonly sorted: SortedItems;
  /** Identifies the archive. */
  readonly sha256: string;
  /** True to continue an import of it that was broken off. */
  readonly isResumed: boolean;
}

/** The progress of an import: the last item that is there for sure. */
export interface Position {
  readonly stage: Stage;
  readonly key?: Key;
}

/** An import that belongs to this process until another one resumes it. */
export interface ImportClaim {
  readonly from: Position;
  /** Stores the progress together with these actions; throws once another process has resumed the import. */
  readonly keep: (position: Position, actions?: readonly ItemAction[]) => Promise<void>;
  /** Removes the note. */
  readonly end: () => Promise<void>;
}

const isAbsent = 'attribute_not_exists(pk)';
const isOurs = 'importer = :us';

/** Claims the handle of the ledger, or resumes the import of another process. */
export async function claimOf(options: ClaimOptions): Promise<ImportClaim> {
  const { table, ledger, sha256 } = options;
  const us = randomUUID();
  const note = importKeyOf(ledger);
  const from = await beginning(options, us);
  const ours = (action: ItemAction, more: readonly ItemAction[] = []): Promise<void> =>
    write(
      table,
      [action, ...more],
      `Another process has gone on with the import of '${ledger}', and this one stops.`,
    );
  const { tableName } = table;
  return {
    from,
    keep: (position, actions) =>
      ours(put(tableName, note, noteOf(sha256, us, position), isOurs, { ':us': us }), actions),
    end: () => ours(remove(tableName, note, isOurs, { ':us': us })),
  };
}

async function beginning(options: ClaimOptions, us: string): Promise<Position> {
  const { table, ledger, isResumed } = options;
  const [note, head, secret] = [
    importKeyOf(ledger),
    headKeyOf('', 'ledger', ledger),
    secretKeyOf(ledger),
  ];
  const found = await itemsAt(table, [note, head, secret], deadlineIn(table.deadlineMs));
  const begun = found.get(textOf(note));
  if (begun) {
    assertSame(begun, options);
    return takenOver(options, us);
  }
  if (found.has(textOf(head)) || found.has(textOf(secret)))
    throw new ArchiveError(
      `There is a ledger '${ledger}' in this table already. ${isResumed ? 'No import of it is left to resume: `countersign audit` checks the ledger as it is now.' : 'An archive is imported where there is none.'}`,
    );
  if (isResumed)
    throw new ArchiveError(
      `No import of the ledger '${ledger}' was begun here: nothing of it was written. Import it without --resume.`,
    );
  return begin(options, us);
}

/** Writes the note and the head of the ledger's record: from then on no other ledger can get that handle. */
async function begin(options: ClaimOptions, us: string): Promise<Position> {
  const { table, ledger, sorted, sha256 } = options;
  const head = headKeyOf('', 'ledger', ledger);
  const record = await sorted.at(head);
  if (!record) throw new ArchiveError(`The archive has no record of the ledger '${ledger}'.`);
  const position: Position = { stage: stages[0] };
  const actions = [
    put(table.tableName, importKeyOf(ledger), noteOf(sha256, us, position), isAbsent),
    put(table.tableName, head, record, isAbsent),
  ];
  await write(table, actions, `Somebody else is making a ledger '${ledger}' in this table.`);
  return position;
}

function assertSame(begun: Item, { ledger, sha256, isResumed }: ClaimOptions): void {
  if (begun['sha256'] !== sha256)
    throw new ArchiveError(
      `An import of another archive of '${ledger}' has not ended here, that of sha256 ${begun['sha256']}.`,
    );
  if (!isResumed)
    throw new ArchiveError(
      `An import of this archive of '${ledger}' has not ended: wait for it if it is under way, or go on with --resume if it was broken off.`,
    );
}

/** Puts the name of this process into the note before reading the progress, which then no other process changes. */
async function takenOver({ table, ledger }: ClaimOptions, us: string): Promise<Position> {
  const note = importKeyOf(ledger);
  const action = {
    Update: {
      TableName: table.tableName,
      Key: note,
      UpdateExpression: 'SET importer = :us',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':us': us },
    },
  };
  const hasEnded = `The import of '${ledger}' has ended meanwhile.`;
  await write(table, [action], hasEnded);
  const found = await itemsAt(table, [note], deadlineIn(table.deadlineMs));
  const begun = found.get(textOf(note));
  if (!begun) throw new ArchiveError(hasEnded);
  const { stage, at } = begun as { stage: Stage; at?: Key };
  return at ? { stage, key: at } : { stage };
}

function noteOf(sha256: string, importer: string, { stage, key }: Position): object {
  return { sha256, importer, stage, ...(key && { at: key }) };
}

/** Writes all actions, or throws a fault with this text when a condition failed. */
async function write(table: Table, actions: readonly ItemAction[], fact: string): Promise<void> {
  const token = randomUUID();
  try {
    await repeating(deadlineIn(table.deadlineMs), () => transact(table, token, actions));
  } catch (error) {
    if (natureOf(error) !== 'refused') throw error;
    throw new ArchiveError(fact, undefined, { cause: error });
  }
}
