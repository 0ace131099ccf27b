/** Goal: what `npm ci` installs is what was reviewed, and nothing of it runs before somebody runs the ledger. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Package {
  readonly integrity?: string;
  /** It lies in the archive of the package above, whose hash holds for it too. */
  readonly inBundle?: boolean;
  readonly hasInstallScript?: boolean;
}

const read = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as unknown;
const lock = read('package-lock.json') as { readonly packages: Readonly<Record<string, Package>> };
const { '': own, ...others } = lock.packages;
const packages = Object.entries(others);
const nameOf = (path: string) => path.split('node_modules/').at(-1) ?? '';

test('the lockfile names the hash of each package', () => {
  expect(own).toBeDefined();
  const without = packages.filter(([, { integrity = '', inBundle = false }]) => {
    return !inBundle && !integrity.startsWith('sha512-');
  });
  expect(without).toEqual([]);
});

test('each package that would run a script when it is installed is named, and may not', () => {
  const { allowScripts } = read('package.json') as { readonly allowScripts: object };
  const scripted = packages.flatMap(([path, { hasInstallScript = false }]) =>
    hasInstallScript ? [nameOf(path)] : [],
  );
  expect(allowScripts).toEqual(Object.fromEntries(scripted.map((name) => [name, false])));
});
