import { isDeepStrictEqual } from 'node:util';
import { expect, it } from 'vitest';
import { companions } from '../../shared/crypto/companions.ts';

it('has the last value that was set for an object, and none for another', () => {
  const sizes = companions<object, number>();
  const owner = { name: 'one' };
  sizes.set(owner, 1);
  sizes.set(owner, 2);
  expect(sizes.get(owner)).toBe(2);
  expect(sizes.get({ name: 'one' })).toBeUndefined();
});

it('keeps values of two meanings apart', () => {
  const [sizes, names] = [companions<object, number>(), companions<object, string>()];
  const owner = {};
  sizes.set(owner, 1);
  expect(names.get(owner)).toBeUndefined();
  names.set(owner, 'one');
  expect([sizes.get(owner), names.get(owner)]).toEqual([1, 'one']);
});

it('is in no text, copy or comparison of its object', () => {
  const sizes = companions<object, number>();
  const owner = { name: 'one' };
  sizes.set(owner, 1);
  expect(JSON.stringify(owner)).toBe('{"name":"one"}');
  expect(Reflect.ownKeys({ ...owner })).toEqual(['name']);
  expect(sizes.get({ ...owner })).toBeUndefined();
  expect(sizes.get(structuredClone(owner))).toBeUndefined();
  expect(isDeepStrictEqual(owner, { name: 'one' })).toBe(true);
});

it('keeps nothing for a frozen object', () => {
  const sizes = companions<object, number>();
  const owner = Object.freeze({ name: 'one' });
  sizes.set(owner, 1);
  expect(sizes.get(owner)).toBeUndefined();
  const later = {};
  sizes.set(later, 1);
  Object.freeze(later);
  sizes.set(later, 2);
  expect(sizes.get(later)).toBe(1);
});

it('is not what an object inherits', () => {
  const sizes = companions<object, number>();
  const owner = {};
  sizes.set(owner, 1);
  const heir: object = Object.create(owner);
  expect(sizes.get(heir)).toBeUndefined();
  sizes.set(heir, 2);
  expect([sizes.get(owner), sizes.get(heir)]).toEqual([1, 2]);
  expect(Reflect.ownKeys({ ...heir })).toEqual([]);
});
