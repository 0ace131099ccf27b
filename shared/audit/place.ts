/**
 * Invariant 3, around a record: the table has the items that the record projects (`store/projection.ts`), with these
 * attributes. Surplus items are found by the tally (`orphan.ts`).
 */
import { isValidPublic } from '../crypto/key.ts';
import { type Kind, keepsPlace } from '../ledger/kind.ts';
import { nameOfVersion } from '../ledger/record.ts';
import {
  changeKeyOf,
  expiryKeyOf,
  expiryMarkKey,
  headKeyOf,
  type Key,
  keyOfItem,
  listNumberOf,
  maySpread,
  rulebookKeyOf,
  spreadsOf,
  textOf,
} from '../store/keys.ts';
import { layoutIn, layoutOfList } from '../store/known-layouts.ts';
import { unpack } from '../store/pack.ts';
import type { Projected } from '../store/projection.ts';
import type { Item } from '../store/request.ts';
import {
  currentOf,
  handleOfHistory,
  type ItemHistory,
  identityKeysOf,
  isBeside,
  namedBy,
  type StoredVersion,
} from './history.ts';
import { type Finding, type ViolationSubject, violationOf } from './violation.ts';

const seedBytes = 32;

/** Compares the table with the projection of a record. */
export function* checkPlaces(history: ItemHistory): Finding {
  const subject = subjectOf(history);
  if (!history.pointer)
    yield violationOf(3, subject, `The ${pointerNameOf(history.kind)} of the record is missing.`);
  else if (history.pointer.kind !== history.kind)
    yield violationOf(3, subject, 'The pointer names another kind.', {
      expected: history.kind,
      found: history.pointer.kind,
    });
  yield* checkHandle(history, subject);
  yield* checkSpread(history, subject);
  yield* checkNamed(history, subject);
  for (const one of history.projected)
    if (isChecked(history, one)) yield* checkItem(history, one, subject);
  if (history.kind === 'ledger') yield* checkIdentity(history, subject);
}

/** Checks that a record is in partitions in which it is looked for, by its luid and the layout of its list. */
function* checkSpread(history: ItemHistory, subject: ViolationSubject): Finding {
  const { scope, kind, luid } = history;
  const current = currentOf(history);
  const number = listNumberOf(current);
  if (!current || number === undefined) return;
  const { count } = layoutOfList(layoutIn(itemAt(history, rulebookKeyOf(scope))), kind);
  const allowed = maySpread({ scope, kind }) ? spreadsOf(luid, count) : [0];
  if (!allowed.includes(number))
    yield violationOf(3, subject, `The ${kind} is in partitions in which nobody looks for it.`, {
      expected: allowed.join(' or '),
      found: number,
    });
  if (expiryKeyOf(history.scope, current) && !itemAt(history, expiryMarkKey))
    yield violationOf(5, subject, 'Nobody looks for the marker that the intent has yet to end.');
}

/** The keys of the items for which a record accounts. An item without an account is surplus. */
export function claimsOf(history: ItemHistory): string[] {
  const handle = handleOfHistory(history);
  const claims = [
    history.head && handle !== undefined ? headKeyOf(history.scope, history.kind, handle) : [],
    // The changes of other kinds lie beside their pointer and were read with it.
    keepsPlace(history.kind) ? history.pasts.flatMap((stored) => pastKeyOf(history, stored)) : [],
    history.projected.filter(isBeside).flatMap((one) => ownOf(history, one).map(keyOfItem)),
    history.booked.flatMap(({ key }) => (itemAt(history, key) ? key : [])),
  ];
  return [...new Set(claims.flat().map(textOf))];
}

/** The stored items of a projected one that are not of another record. */
function ownOf(history: ItemHistory, { key, oldKey, attributes = {} }: Projected): Item[] {
  const { luid } = history;
  const found = [key, oldKey ?? key]
    .map((one) => itemAt(history, one))
    .filter((item) => item !== undefined);
  // Another record may share the key; these attributes name the owner.
  const whose = ['luid', 'signer'].filter((name) => name in attributes);
  return found.filter(
    (item) =>
      (item['luid'] ?? luid) === luid && whose.every((name) => item[name] === attributes[name]),
  );
}

/** True for items that are compared here: not a pointer, and not those that depend on the outbox (`outbox.ts`). */
function isChecked({ kind, pointer }: ItemHistory, one: Projected): boolean {
  const { item } = one;
  if (item === 'outbox' || item === 'mention') return false;
  // A missing list entry of an intent is its missing pointer; one that was found may lie in the wrong partition.
  return isBeside(one) && !(item === 'list' && keepsPlace(kind) && !pointer);
}

/** The name of a pointer in violations: that of an intent is its list entry. */
function pointerNameOf(kind: Kind): string {
  return keepsPlace(kind) ? 'list entry' : 'pointer';
}

/** The subject of the violations of a record. */
export function subjectOf(history: ItemHistory): ViolationSubject {
  const { scope, kind, luid } = history;
  const handle = handleOfHistory(history);
  return { scope, kind, luid, ...(handle !== undefined && { handle }) };
}

function* checkHandle({ head, pointer }: ItemHistory, subject: ViolationSubject): Finding {
  if (!head || !('version' in head) || !pointer) return;
  const handle = nameOfVersion(head.version);
  if (handle !== pointer.handle)
    yield violationOf(3, subject, 'The record lies at the handle of another one.', {
      expected: handle,
      found: pointer.handle,
    });
}

/** Checks that a projected item is there and has its attributes. */
function* checkItem(history: ItemHistory, one: Projected, subject: ViolationSubject): Finding {
  const { key, attributes = {}, names, missing, mayBeMissing = false, differs = missing } = one;
  const { isExact = false } = one;
  const [own] = ownOf(history, one);
  const found = own ?? itemAt(history, key);
  const wanted = isExact ? { ...noneOf(found), ...attributes } : attributes;
  const isAsExpected = own
    ? Object.entries(wanted).every(([name, value]) => own[name] === value)
    : mayBeMissing;
  const fact = found ? differs : missing;
  if (isAsExpected || fact === undefined) return;
  // A missing count is a violation of the record whose references it counts.
  const about = names ? { scope: history.scope, ...names } : subject;
  const difference = { expected: saidOf(wanted, wanted), found: saidOf(found, wanted) };
  yield violationOf(3, about, fact, found && difference);
}

/** The attributes of an item beside its key and its record, each as none. */
function noneOf(item: Item = {}): Item {
  const names = Object.keys(item).filter((name) => !['pk', 'sk', 'luid'].includes(name));
  return Object.fromEntries(names.map((name) => [name, undefined]));
}

/** These attributes of an item; the value alone when there is one. */
function saidOf(item: Item = {}, attributes: Item): unknown {
  const names = Object.keys(attributes);
  const said = Object.fromEntries(names.map((name) => [name, item[name]]));
  return names.length === 1 ? said[names[0] ?? ''] : said;
}

/** Checks that the named records exist. Only a wallet may end while anchors name it. Rulings 12, 44, 64. */
function* checkNamed(history: ItemHistory, subject: ViolationSubject): Finding {
  for (const { kind, handle, head } of namedBy(history))
    if (kind !== 'wallet' && !itemAt(history, head))
      yield violationOf(3, subject, `The record names the ${kind} ${handle}, which is not there.`);
}

/** Checks that the key of a ledger is wrapped, and that its signer `system` shows the public half. Ruling 24. */
function* checkIdentity(history: ItemHistory, subject: ViolationSubject): Finding {
  const { handle } = subject;
  if (handle === undefined) return;
  const keys = identityKeysOf(handle);
  const secret = itemAt(history, keys.secret);
  const signer = itemAt(history, keys.signer);
  const publicKey = String(secret?.['public']);
  if (!secret) return;
  if (!isValidPublic(publicKey))
    yield violationOf(3, subject, `The public key of the ledger is none: ${publicKey}.`);
  const { wrapped, former, formerWrapped } = secret;
  for (const bytes of former === undefined ? [wrapped] : [wrapped, formerWrapped]) {
    const length = bytes instanceof Uint8Array ? bytes.length : 0;
    if (length > seedBytes) continue;
    yield violationOf('secret', subject, 'The private key of the ledger is not wrapped.', {
      expected: `more than ${seedBytes} bytes`,
      found: length,
    });
  }
  const shown = signer && publicOfSigner(signer);
  if (shown !== publicKey)
    yield violationOf(3, subject, 'The signer system does not show the key of the ledger.', {
      expected: publicKey,
      found: shown,
    });
}

function publicOfSigner(item: Item): unknown {
  try {
    return unpack(item).record.data['public'];
  } catch {
    return undefined;
  }
}

function pastKeyOf({ scope, luid }: ItemHistory, { change }: StoredVersion): Key[] {
  return change === undefined ? [] : [changeKeyOf(scope, luid, change)];
}

function itemAt(history: ItemHistory, key: Key): Item | undefined {
  return history.items.get(textOf(key));
}
