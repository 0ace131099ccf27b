import { expect, test } from 'vitest';
import type { Principal, PrincipalTest } from '../../shared/ledger/matcher.ts';
import { completesQuorum } from '../../shared/ledger/quorum.ts';

/** `ann` is a signer, `ann/2` the same by another key, `?k` a key of nobody. */
const partyOf = (text: string): Principal => {
  const [handle = '', key = '1'] = text.split('/');
  const known = handle.startsWith('?') ? {} : { handle };
  return { ...known, public: `${handle} ${key}`, circles: new Set(), owns: new Set() };
};
/** `a|b` means those of these names, `*` everyone. */
const testOf = (text: string): PrincipalTest => {
  const names = text.split('|');
  return (party) =>
    text === '*' || names.includes(party.handle ?? party.public?.split(' ')[0] ?? '');
};

test.each<[quorum: string, newest: string, others: string, expected: boolean]>([
  ['', 'ann', '', true],
  ['ann', 'ann', '', true],
  ['ann', 'bob', '', false],
  ['ann', 'bob', 'ann', false],
  ['ann bob', 'ann', '', false],
  ['ann bob', 'ann', 'bob', true],
  ['ann bob', 'bob', 'ann', true],
  ['ann bob', 'ann/2', 'ann', false],
  ['* *', 'ann', 'ann/2', false],
  ['* *', 'ann', 'ann/2 bob', true],
  ['* *', '?k', '?j', true],
  ['* *', '?k', '?k', false],
  ['* * *', 'ann', 'bob bob/2', false],
  ['ann|bob ann', 'ann', 'bob', true],
  ['ann|bob ann', 'bob', 'ann', true],
  ['ann|bob ann|bob', 'ann', 'cat', false],
  // A voice that was given away comes back: `bob` first takes what only `cat` could take as well.
  ['ann bob|cat bob', 'ann', 'bob cat', true],
  ['ann bob|cat bob|cat bob', 'ann', 'bob cat', false],
  ['ann bob|cat|dan bob|cat bob', 'ann', 'bob cat dan', true],
  // The newest may serve the matcher that somebody else could serve, and is not left out for it.
  ['ann|bob bob|cat', 'ann', 'bob cat', true],
])('[%s] with a proof by %s after those of [%s]: %s', (quorum, newest, others, expected) => {
  const list = (text: string) => text.split(' ').filter((part) => part !== '');
  expect(
    completesQuorum(list(quorum).map(testOf), partyOf(newest), list(others).map(partyOf)),
  ).toBe(expected);
});
