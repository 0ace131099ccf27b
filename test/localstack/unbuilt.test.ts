import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { withAdvice } from '../../localstack/runtime/unbuilt.ts';
import { command } from '../fixture/runtime.ts';

const hiding = fileURLToPath(new URL('../fixture/without-lmdb.cjs', import.meta.url));

test('without the compiled part of LMDB a ledger ends with how to get it', async () => {
  const env = { NODE_OPTIONS: `--require ${hiding}`, PORT: '0' };
  const { code, said } = await command('start', ':memory:', { env });
  const machine = `${process.platform}-${process.arch}`;
  expect(said.split('\n')).toEqual([
    `The embedded database is not installed for ${machine}: the package @lmdb/lmdb-${machine} is missing.`,
    '  npm ci, without --omit=optional, installs it.',
    '  Where none is published, `npm rebuild lmdb` compiles it, by Python and a C++ compiler, once allowScripts of package.json lets it.',
    '',
  ]);
  expect(code).toBe(2);
});

test('any other error is left as it is', () => {
  const error = new Error('Something else.');
  expect(withAdvice(error)).toBe(error);
  expect(withAdvice('No native build was found')).toBe('No native build was found');
});
