/**
 * `npm run key [-- file]`: a key pair for whoever is to own a ledger. With a file the secret is kept there, for
 * its owner alone, and only the public key is printed; a file that is there already is read. Without one the
 * secret is shown on the terminal, once, and nowhere else.
 */
import { createSeed, publicOf } from '../../shared/crypto/key.ts';
import { keyIn } from '../bank/key.ts';

function main([path, ...others]: readonly string[]): void {
  if (others.length > 0 || path?.startsWith('-')) throw new Error('Usage: npm run key [-- file]');
  if (path !== undefined) {
    console.log(keyIn(path).public);
    return;
  }
  if (!process.stdout.isTTY)
    throw new Error('A secret is shown on a terminal only; name a file to keep it in.');
  const seed = createSeed();
  console.log(`public  ${publicOf(seed)}`);
  console.log(`secret  ${Buffer.from(seed).toString('base64')}`);
}

try {
  main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
