import type { APIGatewayProxyEvent } from 'aws-lambda';
import { expect, test } from 'vitest';
import { headerOf } from '../../shared/http/header.ts';

const eventOf = (event: Partial<APIGatewayProxyEvent>) => event as APIGatewayProxyEvent;

test.each<[string, Partial<APIGatewayProxyEvent>, string | undefined]>([
  ['is found in any case of its name', { multiValueHeaders: { 'X-Ledger': ['a'] } }, 'a'],
  ['has all its values', { multiValueHeaders: { 'x-ledger': ['a', 'b'] } }, 'a, b'],
  [
    'has those of all forms of its name',
    { headers: { 'x-ledger': 'b' }, multiValueHeaders: { 'X-LEDGER': ['a'], 'x-ledger': ['b'] } },
    'a, b',
  ],
  ['may be empty', { multiValueHeaders: { 'x-ledger': [''] } }, ''],
  ['is read where an event has one value of each', { headers: { 'X-Ledger': 'a' } }, 'a'],
  ['may be absent', { multiValueHeaders: { host: ['a'] }, headers: { host: 'a' } }, undefined],
  ['is absent where an event has none', {}, undefined],
])('a header %s', (_, event, value) => expect(headerOf(eventOf(event), 'x-ledger')).toBe(value));
