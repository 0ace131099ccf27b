/** Placeholders for secrets in texts that everyone may read: `{{ secret.<name> }}`. Ruling 53. */
import { assert } from './assert.ts';

const placeholder = /\{\{ secret\.([\w-]{1,64}) \}\}/g;

/** The names of the secrets in a text, in order. */
export function secretNamesIn(text: string): string[] {
  return [...text.matchAll(placeholder)].map(([, name = '']) => name);
}

/** The text with each placeholder replaced by its secret. */
export function withSecrets(text: string, secrets: Readonly<Record<string, string>>): string {
  return text.replaceAll(placeholder, (_, name: string) => {
    assert(Object.hasOwn(secrets, name), 'a secret that is named is kept');
    return String(secrets[name]);
  });
}
