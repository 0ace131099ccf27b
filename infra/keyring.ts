/**
 * The key that wraps the private keys of the ledgers. It is not the table's: whoever may read the
 * table has only ciphertext, and whoever may unwrap has to name the ledger.
 */
import { RemovalPolicy } from 'aws-cdk-lib';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';

/** Makes the key. It outlives the stack: without it no ledger can sign any more. */
export function keyringKey(scope: Construct): Key {
  return new Key(scope, 'KeyringKey', {
    description: 'Wraps the private keys of the ledgers.',
    enableKeyRotation: true,
    removalPolicy: RemovalPolicy.RETAIN,
  });
}
