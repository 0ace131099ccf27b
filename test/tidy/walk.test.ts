/** Goal: who follows a transfer through the files that `shared/README.md` names finds in each what it says. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const readme = readFileSync('shared/README.md', 'utf8');
const named = [...readme.matchAll(/\]\(([\w./-]+\.ts)\) `(\w+)`/g)].map(
  ([, path = '', name = '']) => [join('shared', path), name] as const,
);

test('the walk names functions', () => expect(named.length).toBeGreaterThan(10));

test.each(named)('%s has %s', (path, name) => {
  expect(readFileSync(path, 'utf8')).toMatch(new RegExp(`\\b(?:function|const) ${name}\\b`));
});
