/**
 * Goal: an intent moves money once everybody has prepared and decided, or not at all, and what it needs is held
 * meanwhile. Rulings 43, 46, 50, 51, 55 and 56.
 */
import { describe, test } from 'vitest';
import { check } from '../../fixture/ledger-page.ts';

const banks = `
  symbol usd
  bridge blue
  bridge green
  wallet b at blue
  wallet g at green
  wallet own
  wallet other
`;

describe('a payment between banks', () => {
  test('holds the debit, waits for both, and moves once', () =>
    check(`${banks}
      pay: transfer b g 5 usd           processing
      entries pay                       debit b, credit g
      balance b                         -5 usd, 5 reserved
      balance g                         nothing
      blue prepared pay debit b         processing
      green prepared pay credit g       committed
      balance b                         -5 usd
      balance g                         5 usd
      green committed pay credit g      committed
      blue committed pay debit b        completed
      balance b                         -5 usd
      balance g                         5 usd
    `));

  test('goes on, or back, when a wallet is frozen after its debit was reserved; no other begins', () =>
    check(`${banks}
      pay: transfer b own 5 usd         processing
      back: transfer b own 3 usd        processing
      wallet own inactive by own        inactive
      wallet b inactive by blue         inactive
      blue prepared pay debit b         committed
      blue committed pay debit b        completed
      blue failed back debit b          rejected core.bridge-prepare-failed
      balance own                       5 usd
      late: transfer b other 1 usd      rejected core.source-inactive
      other: issue own 1 usd            rejected core.target-inactive
      wallet own active by own          active
      more: issue own 1 usd             completed
    `));

  test('asks for the credit when the debit is prepared, and hears no answer before', () =>
    check(`${banks}
      pay: transfer b g 5 usd           processing
      green prepared pay credit g       processing
      blue prepared pay debit b         processing
      balance g                         nothing
      green prepared pay credit g       committed
      balance g                         5 usd
    `));

  test('is carried out in any order', () =>
    check(`${banks}
      pay: transfer b g 5 usd           processing
      blue prepared pay debit b         processing
      green prepared pay credit g       committed
      blue committed pay debit b        committed
      blue committed pay debit b        committed
      green committed pay credit g      completed
    `));

  test('that one of them refuses gives back what was held, and ends when the other has undone its part', () =>
    check(`${banks}
      pay: transfer b g 5 usd           processing
      blue prepared pay debit b         processing
      green failed pay credit g         aborted core.bridge-prepare-failed
      balance b                         0 usd
      balance g                         nothing
      blue aborted pay debit b          rejected core.bridge-prepare-failed
    `));

  test('that is refused before anything was prepared is over at once', () =>
    check(`${banks}
      pay: transfer b g 5 usd           processing
      blue failed pay debit b           rejected core.bridge-prepare-failed
      balance b                         0 usd
      balance g                         nothing
    `));

  test('that is decided is not undone by a bank', () =>
    check(`${banks}
      pay: transfer b g 5 usd           processing
      blue prepared pay debit b         processing
      green prepared pay credit g       committed
      green failed pay credit g         committed
      blue aborted pay debit b          committed
      balance b                         -5 usd
      balance g                         5 usd
    `));

  test('counts only what a bank says of its own entries, in their order', () =>
    check(`${banks}
      pay: transfer b g 5 usd           processing
      green prepared pay debit b        processing
      blue prepared pay credit g        processing
      own prepared pay debit b          processing
      blue committed pay debit b        processing
      balance b                         -5 usd, 5 reserved
      blue prepared pay debit b         processing
      green prepared pay credit g       committed
    `));
});

describe('a wallet of the ledger', () => {
  test('gives to a bank what it has, and not twice', () =>
    check(`${banks}
      issue own 100 usd                 completed
      one: transfer own g 60 usd        processing
      balance own                       40 usd, 60 reserved
      transfer own g 60 usd             rejected core.insufficient-balance
      green prepared one credit g       committed
      balance own                       40 usd
      balance g                         60 usd
      green committed one credit g      completed
    `));

  test('has what comes from a bank when that has prepared it, and not before', () =>
    check(`${banks}
      pay: transfer b own 5 usd         processing
      balance own                       nothing
      transfer own other 5 usd          rejected core.insufficient-balance
      blue prepared pay debit b         committed
      balance own                       5 usd
      transfer own other 5 usd          completed
    `));
});

describe('an intent on hold', () => {
  test('holds what it needs until one word commits it or aborts it', () =>
    check(`${banks}
      issue own 100 usd                           completed
      one: transfer own other 30 usd on hold      prepared
      two: transfer own other 30 usd on hold      prepared
      balance own                                 40 usd, 60 reserved
      balance other                               nothing
      one committed by anybody                    completed
      balance own                                 40 usd, 30 reserved
      balance other                               30 usd
      two aborted by anybody                      rejected
      balance own                                 70 usd
      one aborted by anybody                      record.update-rejected
      two committed by anybody                    record.update-rejected
      balance own                                 70 usd
      balance other                               30 usd
    `));

  test('is prepared by the banks first, and then by them carried out', () =>
    check(`${banks}
      pay: transfer b g 5 usd on hold   processing
      pay committed by anybody          record.update-rejected
      blue prepared pay debit b         processing
      green prepared pay credit g       prepared
      balance b                         -5 usd, 5 reserved
      pay committed by anybody          committed
      balance g                         5 usd
      green committed pay credit g      committed
      blue committed pay debit b        completed
    `));

  test('that is aborted waits for the banks that have prepared', () =>
    check(`${banks}
      pay: transfer b g 5 usd on hold   processing
      blue prepared pay debit b         processing
      green prepared pay credit g       prepared
      pay aborted by anybody            aborted
      balance b                         0 usd
      blue aborted pay debit b          aborted
      green aborted pay credit g        rejected
    `));
});

describe('time', () => {
  test('ends what waits for a bank, and what was held is free at once', () =>
    check(`${banks}
      issue own 100 usd                 completed
      pay: transfer own g 60 usd        processing
      after 59 minutes
      sweep
      status pay                        processing
      after 1 minutes
      sweep
      status pay                        aborted core.bridge-unreachable
      balance own                       100 usd
      green prepared pay credit g       aborted core.bridge-unreachable
      green aborted pay credit g        rejected core.bridge-unreachable
      balance g                         nothing
    `));

  test('ends what waits for a word, and comes before a word that is late', () =>
    check(`${banks}
      issue own 100 usd                           completed
      pay: transfer own other 60 usd on hold      prepared
      after 60 minutes
      pay committed by anybody                    rejected core.intent-expired
      balance own                                 100 usd
      balance other                               nothing
    `));

  test('does not end what is decided', () =>
    check(`${banks}
      pay: transfer b g 5 usd           processing
      blue prepared pay debit b         processing
      green prepared pay credit g       committed
      after 48 hours
      sweep
      status pay                        committed
      green committed pay credit g      committed
      blue committed pay debit b        completed
    `));
});

describe('a thread', () => {
  const forwarding = `${banks}
    route own forward g
  `;

  test('moves nothing of any of its intents before all of them are prepared', () =>
    check(`${forwarding}
      pay: transfer b own 5 usd         processing
      thread pay                        transfer own g 5 usd processing
      blue prepared pay debit b         processing
      balance own                       nothing
      balance g                         nothing
    `));

  test('fails as one', () =>
    check(`${forwarding}
      pay: transfer b own 5 usd         processing
      blue failed pay debit b           rejected core.bridge-prepare-failed
      thread pay                        transfer own g 5 usd rejected core.bridge-prepare-failed
      balance b                         0 usd
      balance own                       nothing
    `));
});
