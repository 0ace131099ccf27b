/**
 * Invariant 3, around a life: what points at a record is there, points at what exists, and lies where
 * it is looked for. What lies elsewhere is found by the tally (`orphan.ts`).
 */
import { isValidPublic } from '../crypto/key.ts';
import { type Kind, keepsPlace } from '../ledger/kind.ts';
import { nameOfVersion } from '../ledger/record.ts';
import {
  changeKeyOf,
  headKeyOf,
  indexKeyOf,
  type Key,
  listKeyOf,
  outboxKeyOf,
  textOf,
} from '../store/keys.ts';
import { unpack } from '../store/pack.ts';
import type { Item } from '../store/request.ts';
import { keptOf } from './kept.ts';
import {
  currentOf,
  handleOfLife,
  identityKeysOf,
  type Life,
  type Stored,
  versionsOf,
} from './life.ts';
import { sealsOf } from './seal.ts';
import { type Subject, type Violation, violationOf } from './violation.ts';
import { holdOf, tiesOf } from './way.ts';

type Finding = Generator<Violation, void, undefined>;

const seedBytes = 32;

/** What is wrong around a life. */
export function* checkPlaces(life: Life): Finding {
  const subject = subjectOf(life);
  if (!life.pointer)
    yield violationOf(3, subject, `The ${pointerNameOf(life.kind)} of the record is missing.`);
  else if (life.pointer.kind !== life.kind)
    yield violationOf(3, subject, 'The pointer names another kind.', {
      expected: life.kind,
      found: life.pointer.kind,
    });
  yield* checkHandle(life, subject);
  yield* checkShown(life, subject);
  yield* checkTies(life, subject);
  yield* checkKept(life, subject);
  yield* checkSeals(life, subject);
  if (life.kind === 'ledger') yield* checkIdentity(life, subject);
}

/** The keys of the items that the life accounts for. What no life accounts for is too much. */
export function claimsOf(life: Life): string[] {
  const handle = handleOfLife(life);
  const isPresent = (key: Key): boolean => itemAt(life, key) !== undefined;
  const claims = [
    life.head && handle !== undefined ? headKeyOf(life.scope, life.kind, handle) : [],
    claimsOfCurrent(life),
    versionsOf(life)
      .map((version) => outboxKeyOf(life.scope, version))
      .filter(isPresent),
    // Superseded versions lie beside the pointer, but for kinds whose pointer is elsewhere.
    keepsPlace(life.kind) ? life.pasts.flatMap((stored) => pastKeyOf(life, stored)) : [],
    sealsOf(life.scope, life.kind, versionsOf(life))
      .flatMap(({ keys }) => keys)
      .filter((key) => itemAt(life, key)?.['luid'] === life.luid),
    life.kind === 'ledger' && handle !== undefined
      ? [identityKeysOf(handle).secret].filter(isPresent)
      : [],
  ];
  return [...new Set(claims.flat().map(textOf))];
}

/** What is there because of the current version: where it is shown, its key, and what counts it. */
function claimsOfCurrent(life: Life): Key[] {
  const version = currentOf(life);
  if (!version) return [];
  const hold = holdOf(life.scope, version);
  const counts = tiesOf(life.scope, version).flatMap(({ count }) => count ?? []);
  const kept = keptOf(life.scope, version).map(({ key }) => key);
  return [
    ...[...placesOf(life).map(({ key }) => key), ...counts, ...kept].filter((key) =>
      itemAt(life, key),
    ),
    ...(hold && itemAt(life, hold.key)?.['signer'] === hold.signer ? [hold.key] : []),
  ];
}

/** What a life's pointer is called: that of a record which keeps its place is its list entry. */
function pointerNameOf(kind: Kind): string {
  return keepsPlace(kind) ? 'list entry' : 'pointer';
}

/** What the violations of a life are about. */
export function subjectOf(life: Life): Subject {
  const { scope, kind, luid } = life;
  const handle = handleOfLife(life);
  return { scope, kind, luid, ...(handle !== undefined && { handle }) };
}

function* checkHandle({ head, pointer }: Life, subject: Subject): Finding {
  if (!head || !('version' in head) || !pointer) return;
  const handle = nameOfVersion(head.version);
  if (handle !== pointer.handle)
    yield violationOf(3, subject, 'The record lies at the handle of another one.', {
      expected: handle,
      found: pointer.handle,
    });
}

/** Where the list and an index show the current version. */
function placesOf(life: Life): { readonly name: string; readonly key: Key }[] {
  const version = currentOf(life);
  const index = version && indexKeyOf(life.scope, version);
  return [
    ...(version ? [{ name: 'list entry', key: listKeyOf(life.scope, version) }] : []),
    ...(index ? [{ name: 'index entry', key: index }] : []),
  ];
}

function* checkShown(life: Life, subject: Subject): Finding {
  // Whose list entry is its pointer was found through it.
  if (keepsPlace(life.kind)) return;
  for (const { name, key } of placesOf(life)) {
    const entry = itemAt(life, key);
    if (entry?.['handle'] === subject.handle) continue;
    const fact = entry
      ? `The ${name} of the record names another handle.`
      : `The ${name} of the record is missing at '${textOf(key)}'.`;
    yield violationOf(3, subject, fact, { expected: subject.handle, found: entry?.['handle'] });
  }
}

/**
 * What a record names is there and counts that it is named. Only a wallet may end while anchors name it.
 * Rulings 12, 44, 64.
 */
function* checkTies(life: Life, subject: Subject): Finding {
  const version = currentOf(life);
  for (const { named, head, count } of version ? tiesOf(life.scope, version) : []) {
    const { kind, handle } = named;
    if (kind !== 'wallet' && !itemAt(life, head))
      yield violationOf(3, subject, `The record names the ${kind} ${handle}, which is not there.`);
    if (count && !itemAt(life, count))
      yield violationOf(
        3,
        { scope: life.scope, kind, handle },
        `Nothing counts at '${textOf(count)}' that other records refer to this one.`,
      );
  }
}

/** The secrets of a bridge and the client of a factor are stored together with them. */
function* checkKept(life: Life, subject: Subject): Finding {
  const version = currentOf(life);
  for (const { key, missing } of version ? keptOf(life.scope, version) : [])
    if (!itemAt(life, key)) yield violationOf(3, subject, missing);
}

function* checkSeals(life: Life, subject: Subject): Finding {
  for (const { keys, hash, isDue } of sealsOf(life.scope, life.kind, versionsOf(life))) {
    const seals = keys.flatMap((key): Item[] => [itemAt(life, key) ?? []].flat());
    const own = seals.find((seal) => seal['luid'] === life.luid);
    if (own ? own['hash'] === hash : !isDue) continue;
    const seal = own ?? seals[0];
    yield violationOf(3, subject, 'A proof that made or ended the record is not remembered.', {
      expected: { luid: life.luid, hash },
      found: seal && { luid: seal['luid'], hash: seal['hash'] },
    });
  }
}

/** A ledger has a wrapped secret, whose public half its signer `system` shows. Ruling 24. */
function* checkIdentity(life: Life, subject: Subject): Finding {
  const { handle } = subject;
  if (handle === undefined) return;
  const keys = identityKeysOf(handle);
  const secret = itemAt(life, keys.secret);
  const signer = itemAt(life, keys.signer);
  const publicKey = String(secret?.['public']);
  if (!secret) return yield violationOf(3, subject, 'The ledger has no key.');
  if (!isValidPublic(publicKey))
    yield violationOf(3, subject, `The public key of the ledger is none: ${publicKey}.`);
  const wrapped = secret['wrapped'];
  const length = wrapped instanceof Uint8Array ? wrapped.length : 0;
  if (length <= seedBytes)
    yield violationOf('secret', subject, 'The private key of the ledger is not wrapped.', {
      expected: `more than ${seedBytes} bytes`,
      found: length,
    });
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

function pastKeyOf({ scope, luid }: Life, { change }: Stored): Key[] {
  return change === undefined ? [] : [changeKeyOf(scope, luid, change)];
}

function itemAt(life: Life, key: Key): Item | undefined {
  return life.items.get(textOf(key));
}
