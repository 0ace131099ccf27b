/**
 * Invariant 3, around a life: what points at a record is there, points at what exists, and lies where
 * it is looked for. What lies elsewhere is found by the tally (`orphan.ts`).
 */
import { isValidPublic } from '../crypto/key.ts';
import { type Kind, lineOf } from '../ledger/kind.ts';
import { changeKeyOf, headKeyOf, type Key, outboxKeyOf, textOf } from '../store/keys.ts';
import { unpack } from '../store/pack.ts';
import type { Item } from '../store/request.ts';
import {
  handleOfLife,
  holderKeyOfLife,
  identityKeysOf,
  type Life,
  listKeyOfLife,
  type Stored,
  sealKeysOfLife,
  versionsOf,
} from './life.ts';
import { type Subject, type Violation, violationOf } from './violation.ts';

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
  if (lineOf(life.kind).updates) yield* checkListed(life, subject);
  yield* checkSeals(life, subject);
  if (life.kind === 'ledger') yield* checkIdentity(life, subject);
}

/** The keys of the items that the life accounts for. What no life accounts for is too much. */
export function claimsOf(life: Life): string[] {
  const handle = handleOfLife(life);
  const isPresent = (key: Key): boolean => itemAt(life, key) !== undefined;
  const listKey = listKeyOfLife(life);
  const holderKey = holderKeyOfLife(life);
  const claims = [
    life.head && handle !== undefined ? headKeyOf(life.scope, life.kind, handle) : [],
    listKey && isPresent(listKey) ? listKey : [],
    versionsOf(life)
      .map((version) => outboxKeyOf(life.scope, version))
      .filter(isPresent),
    // Superseded versions lie beside the pointer, but for kinds whose pointer is elsewhere.
    lineOf(life.kind).updates ? [] : life.pasts.flatMap((stored) => pastKeyOf(life, stored)),
    sealKeysOfLife(life).filter((key) => itemAt(life, key)?.['luid'] === life.luid),
    holderKey && itemAt(life, holderKey)?.['signer'] === handle ? holderKey : [],
    life.kind === 'ledger' && handle !== undefined
      ? [identityKeysOf(handle).secret].filter(isPresent)
      : [],
  ];
  return [...new Set(claims.flat().map(textOf))];
}

/** What a life's pointer is called: that of a record which keeps its place is its list entry. */
function pointerNameOf(kind: Kind): string {
  return lineOf(kind).updates ? 'pointer' : 'list entry';
}

/** What the violations of a life are about. */
export function subjectOf(life: Life): Subject {
  const { scope, kind, luid } = life;
  const handle = handleOfLife(life);
  return { scope, kind, luid, ...(handle !== undefined && { handle }) };
}

function* checkHandle({ head, pointer }: Life, subject: Subject): Finding {
  if (!head || !('version' in head) || !pointer) return;
  const { handle } = head.version.record.data;
  if (handle !== pointer.handle)
    yield violationOf(3, subject, 'The record lies at the handle of another one.', {
      expected: handle,
      found: pointer.handle,
    });
}

function* checkListed(life: Life, subject: Subject): Finding {
  const key = listKeyOfLife(life);
  if (!key) return;
  const entry = itemAt(life, key);
  if (entry?.['handle'] === subject.handle) return;
  const fact = entry
    ? 'The list entry of the record names another handle.'
    : `The list entry of the record is missing at '${textOf(key)}'.`;
  yield violationOf(3, subject, fact, { expected: subject.handle, found: entry?.['handle'] });
}

function* checkSeals(life: Life, subject: Subject): Finding {
  const hash = versionsOf(life)[0]?.record.hash;
  for (const key of sealKeysOfLife(life)) {
    const seal = itemAt(life, key);
    if (seal?.['luid'] === life.luid && seal['hash'] === hash) continue;
    yield violationOf(3, subject, 'A creating proof of the record is not remembered.', {
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
