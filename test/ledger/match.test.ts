import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BudgetExceeded, budgetOf, paidFrom } from '../../shared/ledger/budget.ts';
import { LedgerError } from '../../shared/ledger/errors.ts';
import { checkConditions, type PatternMaker, parseConditions } from '../../shared/ledger/match.ts';
import { type Json, meets, placesOf } from './naive-match.ts';

/** A pattern is a text to be found; `(` is no pattern. */
const includes: PatternMaker = (pattern) => {
  if (pattern === '(') throw new Error('missing closing )');
  return (text) => text.includes(pattern);
};
type Conditions = Readonly<Record<string, unknown>>;
const matches = (subject: unknown, conditions: Conditions) =>
  parseConditions(conditions, includes)(subject);

const event = {
  handle: 'evt_1',
  signal: 'intent-created',
  change: 3,
  amount: 1500,
  isLast: false,
  note: null,
  intent: {
    data: {
      handle: 'rent',
      claims: [
        { action: 'issue', target: { handle: 'alice' }, amount: 5, tags: ['a', 'b'] },
        { action: 'transfer', source: 'alice', target: 'bob', amount: 20, tags: [] },
      ],
      custom: { code: '0042', day: '2026-01-31', grid: [[1, 2], [3]], at: {}, 0: 'zero' },
    },
    meta: {
      labels: ['home', 'preferred'],
      moment: '2026-01-01T00:00:00.000Z',
      status: 'created',
    },
  },
};

describe('a condition', () => {
  // A row is a path, what is wanted there, and whether the event above has it.
  test.each<[string, unknown, boolean]>([
    ['signal', 'intent-created', true],
    ['signal', 'intent-updated', false],
    ['signal', { $eq: 'intent-created' }, true],
    ['intent.data.handle', 'rent', true],
    ['intent.data.custom.0', 'zero', true],
    ['intent.data.custom.at', {}, true],
    ['intent.data.custom.at', { x: 1 }, false],
    ['note', null, true],
    ['note', 'null', false],
    ['isLast', false, true],
    ['isLast', 'false', true],
    ['isLast', true, false],
    // numbers
    ['amount', 1500, true],
    ['amount', '1500', true],
    ['amount', '1500.0', true],
    ['amount', '1.5e3', true],
    ['amount', '01500', true],
    ['amount', 'x1500', false],
    ['amount', '', false],
    ['amount', true, false],
    ['amount', { $gt: 1499 }, true],
    ['amount', { $gt: 1500 }, false],
    ['amount', { $gte: '1500' }, true],
    ['amount', { $lt: 1500.5 }, true],
    ['amount', { $lte: 1499 }, false],
    ['amount', { $gt: 200, $lt: 1600 }, true],
    ['amount', { $gt: 200, $lt: 1500 }, false],
    ['amount', { $lt: 'a' }, false],
    ['amount', { $gte: '2' }, true],
    // texts, also those of digits
    ['intent.data.custom.code', '0042', true],
    ['intent.data.custom.code', '42', false],
    ['intent.data.custom.code', 42, false],
    ['intent.data.custom.code', { $lt: 5 }, true],
    ['intent.data.custom.code', { $gt: '00' }, true],
    ['isLast', { $gte: 'false' }, true],
    ['isLast', { $gt: 'a' }, false],
    ['note', { $gte: 'null' }, false],
    ['intent', { $gte: '' }, false],
    // moments
    ['intent.meta.moment', '2026-01-01T00:00:00Z', true],
    ['intent.meta.moment', '2026-01-01T01:00:00.000+01:00', true],
    ['intent.meta.moment', '2025-12-31T23:00-01:00', true],
    ['intent.meta.moment', '2026-01-01T00:00:00.000000001Z', false],
    ['intent.meta.moment', { $lt: '2026-01-01T00:00:00.000000001Z' }, true],
    ['intent.meta.moment', { $gt: '2025-12-31T23:59:59.9Z' }, true],
    ['intent.meta.moment', { $lt: '2026-01-01T00:30:00+01:00' }, false],
    ['intent.meta.moment', { $gte: '2026-01-01' }, true],
    ['intent.meta.moment', { $lt: '2026-13-01T00:00:00Z' }, true],
    ['intent.data.custom.day', { $gt: '2026-01-30T00:00:00Z' }, true],
    // arrays: any element, one element, the whole
    ['intent.data.claims.action', 'issue', true],
    ['intent.data.claims.action', 'destroy', false],
    ['intent.data.claims.0.action', 'issue', true],
    ['intent.data.claims.1.action', 'issue', false],
    ['intent.data.claims.2.action', { $exists: true }, false],
    ['intent.data.claims.00.action', { $exists: true }, false],
    ['intent.data.claims.length', { $exists: true }, false],
    ['intent.data.claims.target', 'bob', true],
    ['intent.data.claims.target.handle', 'alice', true],
    ['intent.data.claims.target', { handle: 'alice' }, true],
    ['intent.data.claims.target', { handle: 'bob' }, false],
    ['intent.data.claims.amount', { $gt: 10 }, true],
    ['intent.data.claims.0.amount', { $gt: 10 }, false],
    ['intent.data.claims.tags', 'b', true],
    ['intent.data.claims.tags.1', 'b', true],
    ['intent.data.claims.tags', ['a', 'b'], true],
    ['intent.data.claims.tags', [], true],
    ['intent.data.claims.tags', ['b', 'a'], false],
    ['intent.data.claims.tags', ['a'], false],
    ['intent.meta.labels', 'home', true],
    ['intent.meta.labels', ['home', 'preferred'], true],
    ['intent.meta.labels', { $eq: ['home', 'preferred'] }, true],
    ['intent.meta.labels', { $in: [['home']] }, false],
    ['intent.meta.labels', { $in: ['work', 'preferred'] }, true],
    ['intent.meta.labels', { 0: 'home', 1: 'preferred' }, false],
    ['intent.data.custom.grid', [3], true],
    ['intent.data.custom.grid', 3, false],
    ['intent.data.custom.grid.0', 2, true],
    ['intent.data.custom.grid.0.1', 2, true],
    ['intent.data.custom.grid.1.1', { $exists: true }, false],
    // none of them, or not there at all
    ['signal', { $ne: 'intent-updated' }, true],
    ['signal', { $ne: 'intent-created' }, false],
    ['intent.data.claims.action', { $ne: 'issue' }, false],
    ['intent.data.claims.action', { $ne: 'destroy' }, true],
    ['nothing', { $ne: 'x' }, true],
    ['nothing', { $nin: ['x'] }, true],
    ['nothing', { $in: ['x'] }, false],
    ['nothing', { $in: [] }, false],
    ['nothing', { $nin: [] }, true],
    ['nothing', null, false],
    ['nothing', { $gt: 0 }, false],
    ['nothing', { $lte: 0 }, false],
    ['signal', { $nin: ['a', 'intent-created'] }, false],
    ['signal', { $nin: ['a', 'b'] }, true],
    ['amount', { $in: ['1500'] }, true],
    // there, or not
    ['note', { $exists: true }, true],
    ['nothing', { $exists: false }, true],
    ['signal', { $exists: false }, false],
    ['signal.length', { $exists: true }, false],
    ['signal.0', { $exists: true }, false],
    ['constructor', { $exists: true }, false],
    ['intent.__proto__', { $exists: true }, false],
    ['intent.data.claims.tags', { $exists: true }, true],
    ['intent.data.claims.source', { $exists: true }, true],
    ['intent.data.claims.0.source', { $exists: true }, false],
    // patterns
    ['signal', { $regex: 'created' }, true],
    ['signal', { $regex: 'dropped' }, false],
    ['amount', { $regex: '50' }, true],
    ['isLast', { $regex: 'als' }, true],
    ['intent.data.claims.action', { $regex: 'trans' }, true],
    ['note', { $regex: '' }, false],
    ['intent', { $regex: '' }, false],
  ])('%s %j: %s', (path, wanted, isMet) => {
    expect(matches(event, { [path]: wanted })).toBe(isMet);
  });
});

test('all conditions must hold', () => {
  expect(matches(event, {})).toBe(true);
  expect(matches(event, { signal: 'intent-created', amount: 1500 })).toBe(true);
  expect(matches(event, { signal: 'intent-created', amount: 1 })).toBe(false);
});

test('names of operators in a literal are meant as names behind $eq', () => {
  const rule = { access: [{ signer: { $circle: 'staff', $in: 1 } }] };
  expect(matches(rule, { 'access.signer': { $eq: { $circle: 'staff', $in: 1 } } })).toBe(true);
  expect(matches(rule, { 'access.signer.$circle': 'staff' })).toBe(true);
});

test('what is no object has nothing at any path', () => {
  for (const subject of [null, undefined, 5, 'text', []])
    expect(matches(subject, { length: { $exists: true } })).toBe(false);
});

describe('amounts beyond 2^53 are exact', () => {
  const large = 2n ** 53n + 1n;
  const digits = String(large);

  test('as integers', () => {
    const amount = { amount: large };
    expect(matches(amount, { amount: digits })).toBe(true);
    expect(matches(amount, { amount: large })).toBe(true);
    expect(matches(amount, { amount: String(large - 1n) })).toBe(false);
    expect(matches(amount, { amount: { $gt: 2 ** 53 } })).toBe(true);
    expect(matches(amount, { amount: { $gt: String(large - 1n) } })).toBe(true);
    expect(matches(amount, { amount: { $lt: '9007199254740993.5' } })).toBe(true);
    expect(matches(amount, { amount: '9'.repeat(38) })).toBe(false);
    expect(matches({ amount: 10n ** 38n }, { amount: `1${'0'.repeat(38)}` })).toBe(false);
    expect(matches({ amount: 10n ** 37n }, { amount: `1${'0'.repeat(37)}` })).toBe(true);
  });

  test('as digits, which a number asks for as a number', () => {
    const amount = { amount: digits };
    expect(matches(amount, { amount: { $gt: 3000 } })).toBe(true);
    expect(matches({ amount: '20000000000000000' }, { amount: { $gt: 3000 } })).toBe(true);
    expect(matches({ amount: '-20000000000000000' }, { amount: { $gt: -3000 } })).toBe(false);
    expect(matches(amount, { amount: large })).toBe(true);
    expect(matches(amount, { amount: 2 ** 53 })).toBe(false);
    expect(matches(amount, { amount: digits })).toBe(true);
  });

  test('digits that a number holds exactly, or that are no number, stay a text', () => {
    expect(matches({ code: '9007199254740991' }, { code: { $gt: '10' } })).toBe(true);
    expect(matches({ code: '1007199254740991' }, { code: { $gt: 3000 } })).toBe(false);
    expect(matches({ code: '20000000000000000' }, { code: { $gt: '3' } })).toBe(false);
    expect(matches({ code: '09007199254740993' }, { code: large })).toBe(false);
  });
});

const values: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.oneof(
      fc.integer({ min: -3, max: 12 }),
      fc.constantFrom(0.5, 2.5, 1e21),
      fc.constantFrom('', 'a', 'ab', 'b7', '5', '-3', '2.5', '1e1', '10', 'true', 'null'),
      fc.constantFrom('2026-01-01T00:00:00Z', '2026-01-01T01:00:00.000+01:00', '2026-01-02'),
      fc.constantFrom('2026-01-01T00:00:00.001Z', '2025-12-31T23:59Z', '2026-01-01'),
      fc.boolean(),
      fc.constant(null),
    ),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c', '0', '1'), tie('value'), { maxKeys: 3 }),
  ),
})).value;

const isScalar = (value: Json) => value !== null && typeof value !== 'object';
const isPlain = (value: Json) => value !== null && typeof value === 'object';

/** A condition about data that is there: its paths come from the data, and so do its operands. */
function conditionsOn(subject: Json) {
  const places = placesOf(subject).filter(({ path }) => path !== '');
  const near = [0, 'a', ...places.map(({ value }) => value)];
  const operands = fc.oneof(fc.constantFrom(...near), fc.constantFrom(...near), values);
  const paths = ['a', 'b.a', '0', 'a.0.b', ...places.map(({ path }) => path)];
  const scalars = operands.map((operand) =>
    isScalar(operand) && typeof operand !== 'boolean' ? operand : 5,
  );
  const withOperator = (operator: string, arbitrary: fc.Arbitrary<Json>) =>
    fc.record({
      path: fc.constantFrom(...paths),
      operator: fc.constant(operator),
      operand: arbitrary,
    });
  return fc.oneof(
    ...['$eq', '$ne'].map((operator) => withOperator(operator, operands)),
    ...['$gt', '$gte', '$lt', '$lte'].map((operator) => withOperator(operator, scalars)),
    ...['$in', '$nin'].map((operator) =>
      withOperator(operator, fc.array(operands, { maxLength: 3 })),
    ),
    withOperator('$exists', fc.boolean()),
    withOperator('$regex', fc.constantFrom('', 'a', '5', '2026', 'true')),
  );
}

// Goal: one meaning, written twice. Method: data at random, then conditions that are about this data,
// so that both answers come up for every operator; the second matcher lists all paths of the data.
test('a condition means what the naive matcher says', () => {
  const seen = new Map<string, number>();
  const aboutData = values.chain((subject) =>
    fc.record({ subject: fc.constant(subject), condition: conditionsOn(subject) }),
  );
  fc.assert(
    fc.property(aboutData, ({ subject, condition: { path, operator, operand } }) => {
      const isMet = meets(subject, path, operator, operand);
      seen.set(`${operator} ${isMet}`, (seen.get(`${operator} ${isMet}`) ?? 0) + 1);
      expect(matches(subject, { [path]: { [operator]: operand } })).toBe(isMet);
      const isLiteral = !isPlain(operand) || Array.isArray(operand);
      if (operator === '$eq' && isLiteral)
        expect(matches(subject, { [path]: operand })).toBe(isMet);
    }),
    { numRuns: 5_000 },
  );
  expect(seen.size).toBe(20);
  expect(Math.min(...seen.values())).toBeGreaterThan(10);
});

test('several conditions and operators are met when each is', () => {
  const several = values.chain((subject) =>
    fc.record({
      subject: fc.constant(subject),
      conditions: fc.array(conditionsOn(subject), { maxLength: 4 }),
    }),
  );
  fc.assert(
    fc.property(several, ({ subject, conditions }) => {
      const filter: Record<string, Record<string, Json>> = {};
      for (const { path, operator, operand } of conditions)
        filter[path] = { ...filter[path], [operator]: operand };
      const isMet = Object.entries(filter).every(([path, wanted]) =>
        Object.entries(wanted).every(([operator, operand]) =>
          meets(subject, path, operator, operand),
        ),
      );
      expect(matches(subject, filter)).toBe(isMet);
    }),
    { numRuns: 1_000 },
  );
});

describe('a filter is refused', () => {
  function refusalOf(conditions: Conditions): LedgerError {
    try {
      parseConditions(conditions, includes);
    } catch (error) {
      if (error instanceof LedgerError) return error;
      throw error;
    }
    throw new Error('It was not refused.');
  }

  test.each<[string, unknown, string]>([
    ['', 1, 'is not a path of names between dots'],
    ['a..b', 1, 'is not a path of names between dots'],
    ['.a', 1, 'is not a path of names between dots'],
    ['a.', 1, 'is not a path of names between dots'],
    ['amount.$gt', 1, 'ends in an operator, which belongs into an object of its own'],
    ['$in', [1], 'ends in an operator, which belongs into an object of its own'],
    ['a', { $like: 'x' }, 'knows no operator $like'],
    ['a', { $and: [] }, 'knows no operator $and'],
    ['a', { $hasOwnProperty: 1 }, 'knows no operator $hasOwnProperty'],
    ['a', { $eq: 1, $not: 2 }, 'knows no operator $not'],
    ['a', { [`$${'x'.repeat(99)}`]: 1 }, `knows no operator $${'x'.repeat(31)}`],
    [
      'a.b',
      { $gt: 1, lt: 5 },
      'has names beside its operators; a literal of such names goes into $eq',
    ],
    ['a', { $gt: null }, '$gt takes a text or a number'],
    ['a', { $gte: [1] }, '$gte takes a text or a number'],
    ['a', { $lt: {} }, '$lt takes a text or a number'],
    ['a', { $lte: true }, '$lte takes a text or a number'],
    ['a', { $in: 'x' }, '$in takes an array of at most 100 values'],
    ['a', { $nin: { 0: 'x' } }, '$nin takes an array of at most 100 values'],
    ['a', { $in: Array(101).fill(1) }, '$in takes an array of at most 100 values'],
    ['a', { $exists: 'true' }, '$exists takes true or false'],
    ['a', { $regex: 5 }, '$regex takes a pattern of at most 256 characters'],
    ['a', { $regex: 'x'.repeat(257) }, '$regex takes a pattern of at most 256 characters'],
    ['a.0.b', { $regex: '(' }, '$regex is not a valid pattern: ('],
  ])('%s %j', (path, wanted, why) => {
    const { reason, detail, custom } = refusalOf({ fine: 1, [path]: wanted });
    expect(reason).toBe('record.invalid');
    expect(detail).toBe(`Filter '${path}' ${why}.`);
    expect(custom).toEqual({ filter: path });
  });

  test('when it is to be stored with an operator in the place of a path', () => {
    const filter = { fine: 1, $or: [{ a: 1 }] };
    const why =
      "Filter '$or' is an operator in the place of a path; all conditions of a filter must hold.";
    expect(() => checkConditions(filter, includes)).toThrow(why);
    expect(() => checkConditions({ 'a..b': 1 }, includes)).toThrow('is not a path');
    checkConditions({ fine: 1, 'a.$b': 1 }, includes);
    // What was stored before is judged as it was.
    expect(matches({ fine: 1 }, filter)).toBe(false);
  });

  test('when a path is longer than 256 characters', () => {
    const path = 'x'.repeat(257);
    expect(refusalOf({ [path]: 1 }).custom).toEqual({ filter: path.slice(0, 256) });
    expect(matches({}, { [path.slice(1)]: 1 })).toBe(false);
  });

  test('when it has more than 50 conditions', () => {
    const so = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`a${index}`, 1]));
    expect(refusalOf(so(51)).detail).toBe('A filter has at most 50 conditions.');
    expect(matches({}, so(50))).toBe(false);
    const twofold = { ...so(49), b: { $gt: 1, $lt: 5 } };
    expect(refusalOf(twofold).detail).toBe('A filter has at most 50 conditions.');
  });

  test('on the other side of no bound', () => {
    expect(matches({ a: 1 }, { a: { $in: Array(100).fill(1) } })).toBe(true);
    const pattern = 'x'.repeat(256);
    expect(matches({ a: pattern }, { a: { $regex: pattern } })).toBe(true);
  });
});

describe('a pattern is', () => {
  const priced =
    (perCharacter: number): PatternMaker =>
    () =>
      Object.assign((text: string) => text.endsWith('a'), { cost: { making: 5, perCharacter } });
  const at = (maker: PatternMaker) => parseConditions({ text: { $regex: 'a' } }, maker);

  test('looked for in texts of at most 4,096 characters', () => {
    expect(at(includes)({ text: `${'b'.repeat(4_095)}a` })).toBe(true);
    expect(at(includes)({ text: `${'b'.repeat(4_096)}a` })).toBe(false);
    expect(at(includes)({ text: ['b'.repeat(5_000), 'a'] })).toBe(true);
  });

  test('refused when each character takes too much work', () => {
    expect(at(priced(32))({ text: 'a' })).toBe(true);
    expect(() => at(priced(32.1))).toThrow(
      "record.invalid: Filter 'text' $regex takes too much work for each character: a.",
    );
  });

  test('not called invalid when nobody can pay for it', () => {
    expect(() => at(paidFrom(budgetOf(4), priced(1)))).toThrow(BudgetExceeded);
    const refusal = () => new LedgerError('api.request-timeout', 'too much');
    expect(() => at(paidFrom(budgetOf(4, refusal), priced(1)))).toThrow('api.request-timeout');
  });
});
