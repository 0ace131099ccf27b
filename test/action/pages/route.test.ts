/**
 * Goal: money finds its way by the routes of wallets: the first route that fits decides, within the intent or by a new
 * one of the same thread. Rulings 42 and 43, Decisions 50, 52 and 64.
 */
import { describe, test } from 'vitest';
import { check } from '../../fixture/ledger-page.ts';

const wallets = `
  symbol usd
  wallet alice
  wallet bob
  wallet carol
  wallet dan
  wallet vault
  issue alice 100 usd                  completed
`;

describe('a wallet that accepts', () => {
  test('has what comes, as one without routes', () =>
    check(`${wallets}
      route bob accept
      pay: transfer alice bob 5 usd       completed
      entries pay                         debit alice, credit bob
      thread pay                          alone
      balance bob                         5 usd
    `));

  test('takes only what its filter lets, and nothing where no route fits', () =>
    check(`${wallets}
      route bob accept when amount < 10
      transfer alice bob 9 usd            completed
      transfer alice bob 10 usd           rejected core.routing-failed
      balance alice                       91 usd
      balance bob                         9 usd
    `));

  test('comes before the routes behind it', () =>
    check(`${wallets}
      route bob accept when amount < 10
      route bob forward carol
      transfer alice bob 9 usd            completed
      transfer alice bob 10 usd           completed
      balance bob                         9 usd
      balance carol                       10 usd
    `));
});

describe('a wallet that passes on', () => {
  test('a credit has no part in it', () =>
    check(`${wallets}
      route bob credit vault
      pay: transfer alice bob 5 usd       completed
      entries pay                         debit alice, credit vault
      thread pay                          alone
      balance bob                         nothing
      balance vault                       5 usd
    `));

  test('a debit spends from the other wallet, as far as its filter lets', () =>
    check(`${wallets}
      route bob debit alice when amount < 4
      pay: transfer bob carol 3 usd       completed
      entries pay                         debit alice, credit carol
      transfer bob carol 4 usd            rejected core.routing-failed
      balance alice                       97 usd
      balance bob                         nothing
    `));

  test('a debit keeps to what the other wallet has', () =>
    check(`${wallets}
      route bob debit alice
      transfer bob carol 101 usd          rejected core.insufficient-balance
      transfer bob carol 100 usd          completed
      balance alice                       0 usd
    `));

  test('is followed for three hops, and no further', () =>
    check(`${wallets}
      wallet end
      route bob credit carol
      route carol credit dan
      route dan credit vault
      pay: transfer alice bob 5 usd       completed
      entries pay                         debit alice, credit vault
      route vault credit end
      transfer alice bob 5 usd            rejected core.routing-failed
      transfer alice carol 5 usd          completed
      balance end                         5 usd
    `));

  test('in circles gets nothing', () =>
    check(`${wallets}
      route bob credit carol
      route carol credit bob
      transfer alice bob 5 usd            rejected core.routing-failed
      balance alice                       100 usd
    `));

  test('to a wallet that is not there gets nothing', () =>
    check(`${wallets}
      route bob credit nobody
      transfer alice bob 5 usd            rejected core.routing-failed
      balance alice                       100 usd
    `));
});

describe('a wallet that forwards', () => {
  test('is credited, and the next intent of the thread debits it', () =>
    check(`${wallets}
      route bob forward carol
      pay: transfer alice bob 5 usd       completed
      entries pay                         debit alice, credit bob
      thread pay                          transfer bob carol 5 usd completed
      balance alice                       95 usd
      balance bob                         0 usd
      balance carol                       5 usd
    `));

  test('forwards what is issued, too', () =>
    check(`${wallets}
      route bob forward carol
      issue bob 5 usd                     completed
      balance bob                         0 usd
      balance carol                       5 usd
    `));

  test('leads through as many as forward, in one step', () =>
    check(`${wallets}
      route bob forward carol
      route carol forward dan
      pay: transfer alice bob 5 usd       completed
      thread pay                          transfer bob carol 5 usd completed; transfer carol dan 5 usd completed
      balance dan                         5 usd
    `));

  test('fails with all of the thread where one of them fails', () =>
    check(`${wallets}
      route bob forward carol
      route carol accept when amount < 5
      pay: transfer alice bob 5 usd       rejected core.routing-failed
      balance alice                       100 usd
      balance bob                         nothing
      balance carol                       nothing
    `));

  test('makes no circle', () =>
    check(`${wallets}
      route bob forward carol
      route carol credit bob
      transfer alice bob 5 usd            rejected core.routing-failed
      balance alice                       100 usd
    `));
});

describe('an address', () => {
  test('means its wallet, else that of schema and domain, else the domain, else the schema', () =>
    check(`
      symbol usd
      wallet alice
      issue alice 100 usd                 completed
      transfer alice gold:7@bank 1 usd    rejected core.target-invalid
      wallet gold
      one: transfer alice gold:7@bank 1 usd   completed
      wallet bank
      transfer alice gold:7@bank 2 usd    completed
      wallet gold@bank
      transfer alice gold:7@bank 4 usd    completed
      wallet gold:7@bank
      transfer alice gold:7@bank 8 usd    completed
      balance gold                        1 usd
      balance bank                        2 usd
      balance gold@bank                   4 usd
      balance gold:7@bank                 8 usd
    `));
});
