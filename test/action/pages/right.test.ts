/**
 * Goal: a claim moves money only with the word of those who have the right to it. Until then the intent waits, and
 * nothing has moved. Rulings 30, 31, 49 to 51, Decisions 38 and 65.
 */
import { describe, test } from 'vitest';
import { check } from '../../fixture/ledger-page.ts';

const records = `
  symbol usd
  wallet ann
  wallet bob
`;
/** The first rule governs the ledger: everybody may post intents, and move what is theirs. */
const governed = `${records}
  everyone may create intent
`;

test('where no rule is, everybody may do everything', () =>
  check(`${records}
    issue ann 100 usd by eve              completed
    transfer ann bob 60 usd by eve        completed
    destroy bob 10 usd by eve             completed
    limit ann minBalance -5 usd by eve    completed
  `));

test('the first rule governs the ledger: what none grants is refused', () =>
  check(`${records}
    eve may create wallet
    issue ann 100 usd by mint             auth.forbidden
    issue ann 100 usd by eve              auth.forbidden
    everyone may create intent
    issue ann 100 usd by mint             completed
  `));

describe('in a governed ledger', () => {
  test('the owner of a symbol issues it', () =>
    check(`${governed}
      issue ann 100 usd by mint           completed
      issue ann 100 usd by ann            pending
      balance ann                         100 usd
    `));

  test('the owner of a wallet spends from it', () =>
    check(`${governed}
      issue ann 100 usd by mint           completed
      transfer ann bob 60 usd by ann      completed
      transfer ann bob 40 usd by bob      pending
      transfer ann bob 40 usd by mint     pending
      balance ann                         40 usd
      balance bob                         60 usd
    `));

  test('destroying takes the owner of the wallet and that of the symbol', () =>
    check(`${governed}
      issue ann 100 usd by mint           completed
      one: destroy ann 10 usd by ann      pending
      one signed by mint                  completed
      two: destroy ann 10 usd by mint     pending
      two signed by ann                   completed
      balance ann                         80 usd
    `));

  test('a limit is set by the owner of the wallet', () =>
    check(`${governed}
      issue ann 100 usd by mint           completed
      one: limit ann minBalance 50 usd by bob   pending
      transfer ann bob 30 usd by ann      completed
      one signed by ann                   completed
      transfer ann bob 30 usd by ann      rejected core.limit-exceeded
    `));

  test('each claim needs its own right', () =>
    check(`${governed}
      issue ann 100 usd by mint           completed
      issue bob 100 usd by mint           completed
      swap: transfer ann bob 5 usd
      + transfer bob ann 7 usd by ann     pending
      balance ann                         100 usd
      swap signed by bob                  completed
      balance ann                         102 usd
    `));

  test('a stranger adds nothing to an intent that waits', () =>
    check(`${governed}
      issue ann 100 usd by mint           completed
      pay: transfer ann bob 5 usd by bob  pending
      pay signed by eve                   auth.forbidden
      status pay                          pending
      pay signed by ann                   completed
      pay signed by ann                   completed
      balance bob                         5 usd
    `));

  test('an intent that nobody with the right signs is over after an hour', () =>
    check(`${governed}
      issue ann 100 usd by mint           completed
      pay: transfer ann bob 5 usd by bob  pending
      after 60 minutes
      pay signed by ann                   rejected core.intent-expired
      balance ann                         100 usd
      balance bob                         nothing
    `));

  test('what is there is looked at when the last right arrives', () =>
    check(`${governed}
      issue ann 100 usd by mint           completed
      pay: transfer ann bob 60 usd by bob  pending
      balance ann                         100 usd
      transfer ann bob 60 usd by ann      completed
      pay signed by ann                   rejected core.insufficient-balance
      balance ann                         40 usd
    `));
});

describe('a rule', () => {
  test('lets others issue, spend and destroy', () =>
    check(`${governed}
      eve may issue symbol
      eve may spend wallet
      issue ann 100 usd by eve            completed
      transfer ann bob 60 usd by eve      completed
      destroy bob 10 usd by eve           pending
      eve may destroy symbol
      destroy bob 10 usd by eve           completed
      balance bob                         50 usd
    `));

  test('lets others set limits', () =>
    check(`${governed}
      limit ann minBalance -5 usd by eve  pending
      eve may limit wallet
      limit ann minBalance -5 usd by eve  completed
    `));

  test('says who decides an intent on hold, and committing is not aborting', () =>
    check(`${governed}
      eve may commit intent
      zoe may abort intent
      issue ann 100 usd by mint                  completed
      one: transfer ann bob 5 usd on hold by ann     prepared
      two: transfer ann bob 5 usd on hold by ann     prepared
      one aborted by eve                         auth.forbidden
      two committed by zoe                       auth.forbidden
      one committed by mint                      auth.forbidden
      one committed by eve                       completed
      two aborted by zoe                         rejected
      balance ann                                95 usd
    `));
});
