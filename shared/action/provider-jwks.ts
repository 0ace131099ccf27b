/** Public keys of a ledger's provider, to verify its tokens with. RFC 7517 5, Ruling 18. */
import { open } from '../access/required-permission.ts';
import { providerJwkOf } from '../crypto/provider-token.ts';
import type { Action } from '../port/action.ts';
import { providerKeys, providerOf } from '../record/provider.ts';
import { readerFor } from '../record/reader.ts';

/** Caches may keep a dropped key this long. */
const cacheSeconds = 300;

/** `GET /oauth/jwks`. It has no errors of its own. */
export const providerJwks: Action = {
  requires: open('The keys by which others check tokens are public.'),
  run: async (call) => {
    const { services, ledger } = call;
    const provider = providerOf(await readerFor(call).home());
    const factors = await providerKeys(services, ledger.handle, provider);
    const keys = factors.map(({ record: { data } }) =>
      providerJwkOf(String(data['public']), data.handle),
    );
    const headers = { 'cache-control': `public, max-age=${cacheSeconds}`, vary: 'x-ledger' };
    const text = JSON.stringify({ keys });
    return { status: 200, document: { type: 'application/json', text, headers } };
  },
};
