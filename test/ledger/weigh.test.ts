/** Goal: whoever was refused learns of each rule what is missing, and the first thing that is. Rulings 30 to 34. */
import { describe, expect, test } from 'vitest';
import { grantsOf, weigh } from '../../shared/ledger/access.ts';
import { asked, sections } from './access-table.ts';

const patternMaker = (pattern: string) => {
  const expression = new RegExp(pattern);
  return (text: string) => expression.test(text);
};

/** What is missing of each rule, in the order in which they are asked. */
function missingOf(rules: string, caller: string, question: string) {
  const { question: all, standings } = asked({ rules, caller, question, granted: '' });
  return weigh(all, standings, patternMaker).map(({ standing, missing }) => [
    standing.place,
    missing ?? 'granted',
  ]);
}

describe('of a rule is missing', () => {
  test.each([
    ['nothing', 'ledger: drop wallet', 'nobody', 'drop wallet shop', 'granted'],
    ['its action', 'ledger: read wallet', 'ann', 'drop wallet shop', 'action'],
    ['its record', 'ledger: drop symbol', 'ann', 'drop wallet shop', 'record'],
    ['its record, where none is named', 'ledger: drop', 'ann', 'drop wallet shop', 'record'],
    ['its circle', 'circle admins: drop', 'bob', 'drop wallet shop', 'circle'],
    ['its circle, for a token', 'circle admins: read', 'token bob', 'read wallet shop', 'circle'],
    [
      'its signer',
      'ledger: drop wallet {signer: {handle: ann}}',
      'bob',
      'drop wallet shop',
      'signer',
    ],
    [
      'its signer, although the token is theirs',
      'ledger: drop wallet {signer: {handle: ann}}',
      'bob, token ann',
      'drop wallet shop',
      'signer',
    ],
    [
      'its bearer',
      'ledger: read wallet {bearer: {aud: elsewhere}}',
      'token ann',
      'read wallet shop',
      'bearer',
    ],
    [
      'its bearer, beside the right signer',
      'ledger: drop wallet {signer: {handle: ann}, bearer: {}}',
      'ann',
      'drop wallet shop',
      'bearer',
    ],
    [
      'its filter',
      'ledger: drop wallet {filter: {schema: shop}}',
      'ann',
      'drop wallet shop',
      'filter',
    ],
    [
      'its change',
      'ledger: update wallet {change: {schema: shop}}',
      'ann',
      'update wallet shop {schema: bank}',
      'change',
    ],
    [
      'its check',
      'ledger: read intent {invoke: intent.canSpendEveryClaimWallet}',
      'ann',
      'read intent rent',
      'invoke',
    ],
    ['all, for it only names a policy', 'ledger: policy gone', 'ann', 'read wallet shop', 'action'],
  ])('%s', (_, rules, caller, question, missing) => {
    expect(missingOf(rules, caller, question).map(([, one]) => one)).toEqual([missing]);
  });
});

describe('rules are weighed', () => {
  test('all of them, in the order in which they are asked', () => {
    const rules = 'wallet shop: read; circle admins: drop; ledger: read symbol; server: defaults';
    expect(missingOf(rules, 'bob', 'read wallet shop')).toEqual([
      ['server', 'signer'],
      ['server', 'bearer'],
      ['ledger', 'record'],
      ['circle', 'action'],
      ['record', 'granted'],
    ]);
  });

  test('for the first thing that is missing', () => {
    const rule = 'ledger: drop symbol {signer: {handle: ann}, filter: {schema: shop}}';
    expect(missingOf(rule, 'bob', 'read wallet shop')).toEqual([['ledger', 'action']]);
    const closer = 'ledger: read wallet {signer: {handle: ann}, filter: {schema: shop}}';
    expect(missingOf(closer, 'bob', 'read wallet shop')).toEqual([['ledger', 'signer']]);
  });

  test('with those of a policy after the rule that names it', () => {
    expect(missingOf('ledger: policy readers', 'nobody', 'query wallet shop')).toEqual([
      ['ledger', 'action'],
      ['policy', 'action'],
      ['policy', 'granted'],
    ]);
  });

  test('and those of which nothing is missing are the ones that grant, in every row of the table', () => {
    for (const row of sections.flatMap(({ rows }) => rows)) {
      const { question, standings } = asked(row);
      const weighed = weigh(question, standings, patternMaker);
      const granting = weighed.filter(({ missing }) => missing === undefined);
      expect(grantsOf(question, standings, patternMaker)).toEqual(
        granting.map(({ rule, standing }) => ({ rule, standing })),
      );
      const count = standings.reduce((sum, { rules }) => sum + rules.length, 0);
      expect(weighed).toHaveLength(count);
    }
  });
});
