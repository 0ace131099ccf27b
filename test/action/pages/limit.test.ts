/**
 * Goal: no limit of a wallet is exceeded, and what would exceed one moves nothing. Ruling 41, Decisions 58 to 60.
 */
import { describe, test } from 'vitest';
import { check } from '../../fixture/ledger-page.ts';

const wallets = `
  symbol usd
  symbol eur
  bridge blue
  wallet till at blue
  wallet alice
  wallet bob
  issue alice 100 usd                     completed
`;

test('a limit moves nothing, and holds from then on', () =>
  check(`${wallets}
    limit bob maxBalance 10 usd           completed
    balance bob                           nothing
    transfer alice bob 10 usd             completed
    transfer alice bob 1 usd              rejected core.limit-exceeded
    balance alice                         90 usd
    balance bob                           10 usd
  `));

test('a limit is of one wallet and one symbol', () =>
  check(`${wallets}
    limit bob maxBalance 10 usd           completed
    issue bob 11 usd                      rejected core.limit-exceeded
    issue bob 11 eur                      completed
    issue alice 11 usd                    completed
    limit nobody maxBalance 10 usd        rejected core.target-invalid
    limit bob maxBalance 10 gold          rejected core.symbol-invalid
  `));

test('a limit is not set that is exceeded already', () =>
  check(`${wallets}
    limit alice minBalance 101 usd        rejected core.limit-exceeded
    limit alice maxBalance 99 usd         rejected core.limit-exceeded
    limit alice minBalance 100 usd        completed
    transfer alice bob 1 usd              rejected core.limit-exceeded
  `));

describe('minBalance', () => {
  test('is in place of 0, below it or above', () =>
    check(`${wallets}
      transfer alice bob 101 usd          rejected core.insufficient-balance
      limit alice minBalance -50 usd      completed
      transfer alice bob 151 usd          rejected core.limit-exceeded
      transfer alice bob 150 usd          completed
      balance alice                       -50 usd
      issue alice 60 usd                  completed
      limit alice minBalance 10 usd       completed
      destroy alice 1 usd                 rejected core.limit-exceeded
      balance alice                       10 usd
    `));

  test('counts what is on hold as gone', () =>
    check(`${wallets}
      limit alice minBalance 40 usd                completed
      pay: transfer alice bob 50 usd on hold       prepared
      transfer alice bob 11 usd                    rejected core.limit-exceeded
      pay aborted by anybody                       rejected
      transfer alice bob 11 usd                    completed
    `));

  test('of a wallet at a bank is none until one is set', () =>
    check(`${wallets}
      pay: transfer till bob 5 usd        processing
      limit till minBalance -4 usd        rejected core.limit-exceeded
      limit till minBalance -8 usd        completed
      transfer till bob 4 usd             rejected core.limit-exceeded
      last: transfer till bob 3 usd       processing
      balance till                        -8 usd, 8 reserved
      blue failed last debit till         rejected core.bridge-prepare-failed
      transfer till bob 3 usd             processing
    `));
});

describe('maxBalance', () => {
  test('counts what is on hold as there', () =>
    check(`${wallets}
      limit alice maxBalance 110 usd               completed
      pay: transfer alice bob 60 usd on hold       prepared
      balance alice                                40 usd, 60 reserved
      issue alice 11 usd                           rejected core.limit-exceeded
      issue alice 10 usd                           completed
      pay committed by anybody                     completed
      issue alice 60 usd                           completed
      issue alice 1 usd                            rejected core.limit-exceeded
    `));

  test('gets no room from a debit of the same intent', () =>
    check(`${wallets}
      limit alice maxBalance 100 usd      completed
      transfer alice bob 9 usd
      + issue alice 9 usd                 rejected core.limit-exceeded
      transfer alice bob 9 usd            completed
      issue alice 9 usd                   completed
    `));

  test('is looked at again when a bank has prepared, which then has to undo it', () =>
    check(`${wallets}
      limit bob maxBalance 10 usd         completed
      pay: transfer till bob 6 usd        processing
      transfer alice bob 5 usd            completed
      blue prepared pay debit till        aborted core.limit-exceeded
      balance till                        0 usd
      blue aborted pay debit till         rejected core.limit-exceeded
      balance bob                         5 usd
    `));

  test('is looked at again when somebody decides', () =>
    check(`${wallets}
      limit bob maxBalance 10 usd                  completed
      one: transfer alice bob 6 usd on hold        prepared
      two: transfer alice bob 6 usd on hold        prepared
      one committed by anybody                     completed
      two committed by anybody                     rejected core.limit-exceeded
      balance alice                                94 usd
      balance bob                                  6 usd
    `));
});

describe('the limits of a day', () => {
  test('dailyCount counts transfers in both directions, claim by claim, and nothing else', () =>
    check(`${wallets}
      transfer alice bob 9 usd            completed
      limit bob dailyCount 3 usd          completed
      issue bob 1 usd                     completed
      destroy bob 1 usd                   completed
      transfer alice bob 1 usd            completed
      transfer bob alice 1 usd            completed
      transfer alice bob 1 usd
      + transfer alice bob 1 usd          rejected core.limit-exceeded
      transfer alice bob 1 usd            completed
      transfer bob alice 1 usd            rejected core.limit-exceeded
      issue bob 1 usd                     completed
    `));

  test('dailyAmount sums what goes and what comes', () =>
    check(`${wallets}
      limit alice dailyAmount 50 usd      completed
      transfer alice bob 30 usd           completed
      transfer bob alice 15 usd           completed
      transfer alice bob 6 usd            rejected core.limit-exceeded
      transfer alice bob 5 usd            completed
      transfer bob alice 1 usd            rejected core.limit-exceeded
      limit alice dailyAmount 51 usd      completed
      transfer bob alice 1 usd            completed
      transfer bob alice 1 usd            rejected core.limit-exceeded
    `));

  test('roll: what is a day old counts no more', () =>
    check(`${wallets}
      limit alice dailyCount 2 usd        completed
      transfer alice bob 1 usd            completed
      after 12 hours
      transfer alice bob 1 usd            completed
      transfer alice bob 1 usd            rejected core.limit-exceeded
      after 11 hours
      transfer alice bob 1 usd            rejected core.limit-exceeded
      after 2 hours
      transfer alice bob 1 usd            completed
      transfer alice bob 1 usd            rejected core.limit-exceeded
    `));

  test('count what is on its way, and no more what fails', () =>
    check(`${wallets}
      limit alice dailyCount 2 usd                 completed
      held: transfer alice bob 1 usd on hold       prepared
      paid: transfer alice till 1 usd              processing
      transfer alice bob 1 usd                     rejected core.limit-exceeded
      held aborted by anybody                      rejected
      transfer alice bob 1 usd                     completed
      transfer alice bob 1 usd                     rejected core.limit-exceeded
      blue failed paid credit till                 rejected core.bridge-prepare-failed
      transfer alice bob 1 usd                     completed
      transfer alice bob 1 usd                     rejected core.limit-exceeded
    `));
});
