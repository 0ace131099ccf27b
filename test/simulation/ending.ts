/** Checks of the end: by the intents, by the books of the banks and by the answers. */

import { waitingOf } from '../../shared/intent/waiting.ts';
import { type ResolvedEntry, resolvedIn } from '../../shared/ledger/intent.ts';
import type { Version } from '../../shared/ledger/record.ts';
import { entryCallHandle } from '../../shared/record/call-name.ts';
import type { Json } from '../fixture/client.ts';
import type { Bank, Kept } from './bank.ts';
import { changeName, finalStatuses, takenOf } from './book.ts';
import { wrongKeys } from './keyed.ts';
import { alice, main, second, symbols } from './ledger.ts';
import { wrongLog } from './logged.ts';
import { proofName } from './requests.ts';
import type { Scenario } from './scenario.ts';
import { drain, openDeliveries, unfinishedIn, type World } from './simulation.ts';
import { bytesPerSecond } from './workers.ts';

const hourMs = 3_600_000;
/**
 * How long it takes at most until everything is told once all is good, beside the time of its bytes: what was attempted
 * in vain, up to a day for its next attempt (Ruling 57) and another until somebody looks.
 */
const tellingMs = { usual: 3 * hourMs, afterSilence: 50 * hourMs };

/** The facts of the run that the checks need. */
type Ended = Pick<Scenario, 'isHushed'>;

/** All that is wrong in the end. What waits for a bank that has not heard is asked for once more. */
export async function wrongIn(world: World, { isHushed }: Ended): Promise<string[]> {
  const inVain = await unfounded(world);
  await recall(world);
  const { book } = world;
  return [
    ...inVain,
    ...unfinishedIn(world).map((handle) => `${handle} has not ended`),
    ...[...book.courses].flatMap(([handle, course]) => wronglyEnded(handle, course)),
    ...wrongAnswers(world),
    ...wrongDecisions(world),
    ...[...book.intents.values()].flatMap(wrongCaptures),
    ...[...book.intents.values()].flatMap(takenUnasked),
    ...[...book.intents.values()].flatMap(wrongEntries),
    ...wrongBooks(world),
    ...(await leftIn(world)),
    ...(await wrongLog(world.ledger)),
    ...(await wrongKeys(world)),
    ...(await untold(world, isHushed)),
  ];
}

/** Intents that wait although no bank has lost an acknowledged call. */
async function unfounded({ book, banks, ledger }: World): Promise<string[]> {
  const unheard = new Set(banks.flatMap((bank) => [...bank.unheard]));
  const found = await Promise.all(
    [...book.intents.values()]
      .filter(({ record }) => !finalStatuses.includes(record.meta.status))
      .map(async (version) => {
        const waiting = await waitingOf(ledger.services, main, version);
        const { handle } = version.record.data;
        if (waiting.length === 0) return [`${handle} waits for nothing`];
        return waiting.flatMap((one) => {
          const isFounded = one.for === 'bridge' && unheard.has(`${one.action} ${one.entry}`);
          return isFounded ? [] : [`${handle} waits for ${JSON.stringify(one)}`];
        });
      }),
  );
  return found.flat();
}

/** An operator sees waiting intents, and has their calls made again. */
async function recall(world: World): Promise<void> {
  const { banks, requests } = world;
  if (unfinishedIn(world).length === 0) return;
  for (const bank of banks)
    for (const text of bank.unheard) {
      const [action = '', entry = ''] = text.split(' ');
      if (action === 'status') continue;
      requests.recall(bank, entryCallHandle(main, { action: action as 'commit', entry }));
    }
  await drain(world);
}

function wronglyEnded(handle: string, course: readonly string[]): string[] {
  const ends = course.filter((status) => finalStatuses.includes(status));
  const isOnce = ends.length === 1 && course.at(-1) === ends[0];
  return isOnce ? [] : [`${handle} went through ${course.join(', ')}`];
}

/** Answers that do not hold. */
function wrongAnswers({ book, requests }: World): string[] {
  const wrong = requests.answered.filter(({ handle, luid, status }) => {
    const isThere = book.intents.get(handle)?.record.luid === luid;
    return !isThere || !book.courses.get(handle)?.includes(status);
  });
  const kept = [...book.intents.values()].flatMap(({ record }) => record.meta.proofs);
  const heard = kept.filter((proof) => requests.refused.has(proofName(proof)));
  return [
    ...wrong.map((one) => `somebody was told ${JSON.stringify(one)}`),
    ...heard.map(({ custom }) => `it was refused and kept: ${JSON.stringify(custom)}`),
  ];
}

/** Of all who decide on an intent one does. Ruling 51. */
function wrongDecisions({ book }: World): string[] {
  return [...book.intents.values()].flatMap(({ record }) => {
    const decisions = record.meta.proofs.filter(
      ({ public: key, custom = {} }) =>
        key === alice.public &&
        custom['handle'] === undefined &&
        (custom['status'] === 'committed' || custom['status'] === 'aborted'),
    );
    const { config } = record.data as { readonly config?: Json };
    const isManual = config?.['commit'] === 'manual';
    return isManual && decisions.length > 1 ? [`${record.data.handle} was decided twice`] : [];
  });
}

/** Parts that the decision did not ask for, or asked for in vain. Ruling 87. */
function wrongCaptures({ record }: Version): string[] {
  if (record.meta.status !== 'completed') return [];
  const { claims, config } = record.data as unknown as { claims: Json[]; config?: Json };
  const decision = record.meta.proofs.find(
    ({ public: key, custom }) => key === alice.public && custom?.['status'] === 'committed',
  )?.custom;
  const isManual = config?.['commit'] === 'manual';
  const parts = ((isManual && decision?.['capture']) || []) as readonly Json[];
  const asked = claims.map(({ amount }, index) => {
    const part = parts.find(({ claim }) => claim === index);
    return Number(part ? part['amount'] : amount);
  });
  const isRight = String(takenOf(record)) === String(asked);
  return isRight ? [] : [`${record.data.handle} took ${takenOf(record)}, and not ${asked}`];
}

/** Money that has left the vault without a word of who has to agree, whatever rules and patterns there are. */
function takenUnasked({ record }: Version): string[] {
  const { meta, data } = record;
  const isFromVault = (data['claims'] as Json[]).some(({ source }) => source === 'vault');
  const isAgreed = meta.proofs.some((proof) => proof.public === second.public);
  const isTaken = isFromVault && meta.status === 'completed' && !isAgreed;
  return isTaken ? [`${data.handle} has taken from the vault what nobody gave`] : [];
}

/** The entries of an intent that happened come to what its claims say, each claim once on each side. */
function wrongEntries({ record }: Version): string[] {
  if (record.meta.status !== 'completed') return [];
  const entries = resolvedIn(record);
  const claims = record.data['claims'] as Json[];
  return symbols.flatMap((symbol) => {
    const claimed = (but: string) =>
      claims
        .filter(
          (one) => one['symbol'] === symbol && !['limit', but].includes(String(one['action'])),
        )
        .reduce((sum, { amount }) => sum + Number(amount), 0);
    const found = (schema: string) =>
      entries
        .filter((one) => one.symbol === symbol && one.schema === schema)
        .reduce((sum, { amount }) => sum + amount, 0);
    const isRight = found('debit') === claimed('issue') && found('credit') === claimed('destroy');
    return isRight ? [] : [`${record.data.handle} has other entries in ${symbol} than claims`];
  });
}

/** Compares the books of the banks with those of the ledger. */
function wrongBooks({ book, banks }: World): string[] {
  const entries = new Map<string, EntryOf>();
  for (const { record } of book.intents.values())
    for (const entry of resolvedIn(record))
      if (entry.bridge !== undefined)
        entries.set(entry.handle, { ...entry, status: record.meta.status });
  const undone = [...entries.values()].flatMap((entry) => {
    const bank = banks.find(({ name }) => name === entry.bridge);
    return bank ? wronglyDone(bank, entry) : [`nobody is ${entry.bridge}`];
  });
  const odd = banks.flatMap((bank) =>
    [...bank.kept].flatMap(([handle, own]) => wronglyKept(bank, own, entries.get(handle))),
  );
  return [...undone, ...odd];
}

/** An entry, and how its intent has ended. */
interface EntryOf extends ResolvedEntry {
  readonly status: string;
}

/** An entry that was done and should not have been, or the other way round. */
function wronglyDone(bank: Bank, { handle, status }: EntryOf): string[] {
  const isDone = bank.kept.get(handle)?.last === 'committed';
  const isToBe = status === 'completed';
  // A bank that reports unasked that it is done is not called any more.
  const isClaimed = isToBe && bank.hasSaid(handle, 'committed');
  if (isDone === isToBe || isClaimed) return [];
  return [`${handle} of ${bank.name} is ${isDone ? 'done' : 'not done'}`];
}

/** Entries that a bank keeps and should not, or keeps otherwise than the ledger decided. */
function wronglyKept(bank: Bank, { first, last, entry: own }: Kept, entry?: EntryOf): string[] {
  if (entry?.bridge !== bank.name) return [`${bank.name} was asked for what is not its own`];
  const { handle } = entry;
  const names = ['amount', 'symbol', 'schema'] as const;
  const isSame = !own || names.every((name) => own[name] === entry[name]);
  const isHeld = first === 'prepared' && last === undefined;
  // A bank that reports the end of an entry is not called to end it.
  const isClaimed = ['aborted', 'failed', 'committed'].some((said) => bank.hasSaid(handle, said));
  return [
    ...(isSame ? [] : [`${bank.name} knows ${handle} as another one`]),
    ...(isHeld && !isClaimed ? [`${bank.name} still holds ${handle}`] : []),
  ];
}

/** Nothing is left to be told. */
async function leftIn(world: World): Promise<string[]> {
  const isLeft = await world.workers.isRelayWanted();
  const open = await openDeliveries(world);
  return [
    ...(isLeft ? ['something is left in the outbox'] : []),
    ...open.map((luid) => `the delivery ${luid} has not ended`),
  ];
}

/** Changes of which somebody should have heard, and has not, or much too late. */
async function untold(world: World, isHushed: boolean): Promise<string[]> {
  const { book, workers, calmMs } = world;
  const { changes, byteCount } = workers.heard;
  const withinMs =
    (isHushed ? tellingMs.afterSilence : tellingMs.usual) +
    (2 * byteCount * 1_000) / bytesPerSecond;
  // A webhook that was silent for all of its schedule misses the events of that time.
  const givenUp = isHushed ? await givenUpIn(world) : new Set<string>();
  return [...book.toTell].flatMap(([name, madeMs]) => {
    const heardMs = changes.get(name);
    if (heardMs === undefined) return givenUp.has(name) ? [] : [`nobody was told of ${name}`];
    const lateMs = heardMs - Math.max(calmMs, madeMs);
    return lateMs > withinMs ? [`${name} was told after ${Math.round(lateMs / hourMs)} h`] : [];
  });
}

/** The changes of which nobody is told any more. */
async function givenUpIn({ ledger }: World): Promise<ReadonlySet<string>> {
  const want = { what: 'record', scope: main, kind: 'effect', handle: 'ear' } as const;
  const [ear] = await ledger.memory.load([want]);
  const page = { index: 0, limit: Number.POSITIVE_INFINITY };
  const all = await ledger.memory.deliveries.list(main, ear?.record.luid ?? '', page);
  const over = all.filter(({ status }) => status === 'cancelled');
  return new Set(
    over.map(({ data }) => changeName(data.linked, Number(data.record.data['change']))),
  );
}
