/** Goal: what the doors let in and what they do not, over HTTP, byte by byte. Ruling 6. */
import { describe, expect, test } from 'vitest';
import { newKey, newLedger, proofOf, signed, unique } from '../fixture/client.ts';
import { sharedHome } from '../fixture/served.ts';

const key = newKey();
const mebibyte = 1024 * 1024;

const ledger = await newLedger(await sharedHome(), key);

/** The text of a signed wallet of exactly so many bytes, most of them white space. */
function textOfSize(size: number): string {
  const text = JSON.stringify(signed({ handle: unique('wallet') }, key));
  return text.padEnd(size, ' ');
}

describe('size and type', () => {
  test('a body of 1 MiB is let in, and one byte more is not', async () => {
    expect(
      (await ledger.post('/wallets', new TextEncoder().encode(textOfSize(mebibyte)))).status,
    ).toBe(201);
    const reply = await ledger.send('POST', '/wallets', textOfSize(mebibyte + 1));
    expect([reply.status, reply.reason]).toEqual([413, 'api.body-malformed']);
    const far = await ledger.send('POST', '/wallets', textOfSize(3 * mebibyte)).catch((e) => e);
    if (!(far instanceof Error)) expect(far.status).toBe(413);
    expect((await ledger.get('/wallets')).status).toBe(200);
  });

  test('a record that the table cannot hold is refused, not lost', async () => {
    const custom = { essay: 'x'.repeat(600 * 1024) };
    const reply = await ledger.post('/wallets', signed({ handle: unique('large'), custom }, key));
    expect([reply.status, reply.reason]).toEqual([413, 'api.body-malformed']);
    expect((await ledger.get('/wallets')).status).toBe(200);
  });

  test('proofs that the table cannot hold are refused, not lost', async () => {
    const { luid, hash } = await ledger.make('wallets', { handle: unique('wordy') }, key);
    const essay = 'x'.repeat(180 * 1024);
    const prove = (part: number) =>
      ledger.post(`/wallets/${luid}/proofs`, proofOf(hash, key, { part, essay }));
    expect((await prove(1)).status).toBe(200);
    const reply = await prove(2);
    expect([reply.status, reply.reason]).toEqual([413, 'api.body-malformed']);
    expect((await ledger.get(`/wallets/${luid}`)).body.meta.proofs).toHaveLength(3);
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonx', 'nonsense'])(
    'a body of type %s is not JSON',
    async (type) => {
      const reply = await ledger.send('POST', '/wallets', textOfSize(0), {
        headers: { 'content-type': type },
      });
      expect([reply.status, reply.reason]).toEqual([415, 'api.body-malformed']);
    },
  );

  test.each(['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/vnd.api+json'])(
    'a body of type %s is JSON',
    async (type) => {
      const headers = { 'content-type': type };
      const reply = await ledger.send('POST', '/wallets', textOfSize(0), { headers });
      expect(reply.status).toBe(201);
    },
  );
});

describe('content', () => {
  const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  test.each([
    ['nothing', ''],
    ['half of an object', '{"hash":'],
    ['a key twice', '{"a":1,"a":1}'],
    ['a key twice, written differently', '{"a":1,"\\u0061":1}'],
    ['a lone surrogate', '{"a":"\\ud800"}'],
    ['__proto__', '{"__proto__":{}}'],
    ['__proto__ in escapes', '{"\\u005f_proto__":{}}'],
    ['constructor, deep down', '{"a":[{"constructor":1}]}'],
    ['prototype', '{"prototype":1}'],
    ['2^53', '{"a":9007199254740992}'],
    ['-2^53', '{"a":-9007199254740992}'],
    ['a number beyond all', '{"a":1e999}'],
    ['33 levels', deep(33)],
    ['a byte order mark', '\uFEFF{}'],
    ['a comment', '{}//'],
    ['two values', '{}{}'],
    ['NaN', 'NaN'],
  ])('%s is malformed', async (_, text) => {
    const reply = await ledger.send('POST', '/wallets', text);
    expect([reply.status, reply.reason]).toEqual([400, 'api.body-malformed']);
  });

  test.each([
    ['a stray byte', [0x22, 0xff, 0x22]],
    ['an overlong slash', [0x22, 0xc0, 0xaf, 0x22]],
    ['an encoded surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['half a character', [0x22, 0xe2, 0x82, 0x22]],
    ['UTF-16', [0x7b, 0x00, 0x7d, 0x00]],
  ])('%s is no UTF-8 JSON', async (_, bytes) => {
    const reply = await ledger.send('POST', '/wallets', Uint8Array.from(bytes));
    expect([reply.status, reply.reason]).toEqual([400, 'api.body-malformed']);
  });

  test.each([
    ['32 levels', deep(32)],
    ['2^53 - 1', '{"a":9007199254740991}'],
    ['a surrogate pair', '{"a":"\\ud83d\\ude00"}'],
    ['null', 'null'],
    ['a text', '"text"'],
  ])('%s comes through the doors and has the wrong shape', async (_, text) => {
    const reply = await ledger.send('POST', '/wallets', text);
    expect([reply.status, reply.reason]).toEqual([422, 'record.schema-invalid']);
  });

  test('what is wrong is told with its place', async () => {
    const { detail } = await ledger.send('POST', '/wallets', '{"data":{"custom":{"n":1,"n":2}}}');
    expect(detail).toMatch(/\/data\/custom\/n/);
  });

  test('text in any script is kept as it was signed', async () => {
    const custom = {
      ключ: '💰 ﬁ e\u0301 \u2028',
      '': 'empty',
      z: [1.5, -0.1, 1e21, 1e-7, true, null],
    };
    const handle = unique('wallet');
    const { hash } = await ledger.make('wallets', { handle, custom }, key);
    const { body } = await ledger.get(`/wallets/${handle}`);
    expect(body.data).toEqual({ handle, custom });
    expect(body.hash).toBe(hash);
  });

  test('every violation of a shape is told', async () => {
    const body = { hash: 'short', data: { factor: 7 }, meta: {} };
    const { status, reason, custom } = await ledger.post('/symbols', body);
    expect([status, reason]).toEqual([422, 'record.schema-invalid']);
    const errors = custom['errors'] as Record<string, unknown>[];
    expect(errors.map((error) => [error['instancePath'], error['keyword']]).sort()).toEqual([
      ['/data', 'required'],
      ['/data/factor', 'enum'],
      ['/hash', 'pattern'],
      ['/meta', 'required'],
    ]);
    for (const error of errors)
      expect(Object.keys(error).sort()).toEqual([
        'instancePath',
        'keyword',
        'message',
        'params',
        'schemaPath',
      ]);
  });
});
