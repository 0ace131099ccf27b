/**
 * `npm run key [-- file]`: a key pair for the owner of a ledger. With a file, the secret is kept there with access for
 * its owner only, and the public key is printed; an existing file is read. Without a file, the secret is printed on
 * the terminal.
 */
import { createSeed, publicOf } from '../../shared/crypto/key.ts';
import { keyIn } from '../bank/key.ts';
import { exitWith } from '../runtime/failing.ts';

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
  exitWith(1)(error);
}
