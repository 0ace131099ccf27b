/** Goal: the tokens that bridges are called with: asked for as RFC 6749 says, and as seldom as possible. Decision 56. */
import { describe, expect, test } from 'vitest';
import { tokenMsMax, tokens } from '../../shared/delivery/tokens.ts';
import type { OutgoingRequest, SendOutcome } from '../../shared/outgoing/send.ts';

const startMs = Date.parse('2026-06-01T00:00:00.000Z');
const credentials = {
  tokenUrl: 'https://login.example/token',
  clientId: 'ledger+1',
  clientSecret: 's3:cret ü',
};
const holder = { name: 'main $brg.1', version: 'v1', credentials };

/** What a token server says when it grants a token. */
function granted(token: string, more: object = { expires_in: 3_600 }): SendOutcome {
  const said = { access_token: token, token_type: 'Bearer', ...more };
  return { kind: 'answered', status: 200, body: JSON.stringify(said) };
}

/** Tokens whose server answers in turn; the last answer stays. */
function server(...answers: readonly SendOutcome[]) {
  const requests: OutgoingRequest[] = [];
  const budgets: number[] = [];
  const self = { nowMs: startMs, tookMs: 0, requests, budgets };
  const of = tokens({
    clock: () => self.nowMs,
    ask: async (request, timeoutMs) => {
      requests.push(request);
      budgets.push(timeoutMs);
      self.nowMs += self.tookMs;
      const answer = answers[Math.min(requests.length, answers.length) - 1];
      if (!answer) throw new Error('Nobody answers.');
      return answer;
    },
  });
  return Object.assign(self, { tokens: of });
}

const refusal = (status: number): SendOutcome => ({ kind: 'answered', status, body: '{}' });

describe('a token', () => {
  test('is asked for with the credentials in a header, form-encoded', async () => {
    const self = server(granted('one'));
    expect(await self.tokens.of(holder)).toEqual({ token: 'one' });
    const pair = Buffer.from('ledger%2B1:s3%3Acret+%C3%BC').toString('base64');
    expect(self.requests).toEqual([
      {
        endpoint: 'https://login.example/token',
        method: 'POST',
        headers: {
          accept: 'application/json',
          'content-type': 'application/x-www-form-urlencoded',
          authorization: `Basic ${pair}`,
        },
        body: 'grant_type=client_credentials',
      },
    ]);
    expect(self.budgets).toEqual([tokenMsMax]);
  });

  test('is asked for a scope when the rule has one', async () => {
    const self = server(granted('one'));
    await self.tokens.of({ ...holder, credentials: { ...credentials, scope: 'pay read' } });
    expect(self.requests[0]?.body).toBe('grant_type=client_credentials&scope=pay+read');
  });

  test.each([400, 401])(
    'is asked for in the form when a header is refused with %i',
    async (status) => {
      const self = server(refusal(status), granted('one', { expires_in: 61 }), granted('two'));
      self.tookMs = 1_000;
      expect(await self.tokens.of(holder)).toEqual({ token: 'one' });
      const [, form] = self.requests;
      expect(form?.headers).not.toHaveProperty('authorization');
      expect(Object.fromEntries(new URLSearchParams(String(form?.body)))).toEqual({
        grant_type: 'client_credentials',
        client_id: 'ledger+1',
        client_secret: 's3:cret ü',
      });
      expect(self.budgets).toEqual([tokenMsMax, tokenMsMax - 1_000]);
      self.nowMs += 1_000;
      expect(await self.tokens.of(holder)).toEqual({ token: 'two' });
      expect(self.requests[2]?.headers).not.toHaveProperty('authorization');
    },
  );

  test('is not asked for again when there is no time left', async () => {
    const self = server(refusal(401), granted('one'));
    self.tookMs = tokenMsMax;
    expect(await self.tokens.of(holder)).toMatchObject({ kind: 'unreachable' });
    expect(self.requests).toHaveLength(1);
  });

  test('is kept until a minute before it ends', async () => {
    const self = server(granted('one'), granted('two'));
    await self.tokens.of(holder);
    self.nowMs = startMs + 3_540_000 - 1;
    expect(await self.tokens.of(holder)).toEqual({ token: 'one' });
    self.nowMs += 1;
    expect(await self.tokens.of(holder)).toEqual({ token: 'two' });
  });

  test.each([
    ['five minutes when its server does not say', {}, 300_000 - 60_000],
    ['five minutes when what its server says is no number', { expires_in: '60' }, 240_000],
    ['a second when it ends a second after a minute', { expires_in: 61 }, 1_000],
  ])('is good for %s', async (_, more, keptMs) => {
    const self = server(granted('one', more), granted('two'));
    await self.tokens.of(holder);
    self.nowMs = startMs + keptMs - 1;
    expect(await self.tokens.of(holder)).toEqual({ token: 'one' });
    self.nowMs = startMs + keptMs;
    expect(await self.tokens.of(holder)).toEqual({ token: 'two' });
  });

  test('is asked for again when the clock was set back, which hides how old it is', async () => {
    const self = server(granted('one'), granted('two'));
    await self.tokens.of(holder);
    self.nowMs -= 3_600_000;
    expect(await self.tokens.of(holder)).toEqual({ token: 'two' });
    expect(await self.tokens.of(holder)).toEqual({ token: 'two' });
  });

  test('that ends within a minute is not kept', async () => {
    const self = server(granted('one', { expires_in: 60 }), granted('two'));
    expect(await self.tokens.of(holder)).toEqual({ token: 'one' });
    expect(await self.tokens.of(holder)).toEqual({ token: 'two' });
  });

  test('is asked for once by all who wait for it', async () => {
    const self = server(granted('one'), granted('two'));
    const all = await Promise.all([1, 2, 3].map(() => self.tokens.of(holder)));
    expect(all).toEqual(Array(3).fill({ token: 'one' }));
    expect(self.requests).toHaveLength(1);
  });

  test('belongs to one bridge, and to its credentials as they are', async () => {
    const self = server(granted('one'), granted('two'), granted('three'));
    await self.tokens.of(holder);
    expect(await self.tokens.of({ ...holder, name: 'main $brg.2' })).toEqual({ token: 'two' });
    expect(await self.tokens.of({ ...holder, version: 'v2' })).toEqual({ token: 'three' });
    expect(await self.tokens.of({ ...holder, version: 'v2' })).toEqual({ token: 'three' });
  });

  test('that many bridges have is forgotten of the oldest', async () => {
    const self = server(granted('one'));
    for (let index = 0; index <= 1_000; index += 1)
      await self.tokens.of({ ...holder, name: `main ${index}` });
    await self.tokens.of({ ...holder, name: 'main 1' });
    expect(self.requests).toHaveLength(1_001);
    await self.tokens.of({ ...holder, name: 'main 0' });
    expect(self.requests).toHaveLength(1_002);
  });
});

describe('a token that the bridge refuses', () => {
  test('is dropped once, and again after one that it took', async () => {
    const self = server(granted('one'), granted('two'), granted('three'));
    const { of, reportUse: tell } = self.tokens;
    await of(holder);
    tell(holder.name, 'one', true);
    expect(await of(holder)).toEqual({ token: 'two' });
    tell(holder.name, 'two', true);
    expect(await of(holder)).toEqual({ token: 'two' });
    tell(holder.name, 'two', false);
    tell(holder.name, 'two', true);
    expect(await of(holder)).toEqual({ token: 'three' });
  });

  test('right after another one is used for a minute, and not for as long as its server said', async () => {
    const self = server(granted('one'), granted('two'), granted('three'));
    const { of, reportUse: tell } = self.tokens;
    for (const token of ['one', 'two']) {
      expect(await of(holder)).toEqual({ token });
      tell(holder.name, token, true);
    }
    self.nowMs += 59_999;
    expect(await of(holder)).toEqual({ token: 'two' });
    tell(holder.name, 'two', true);
    self.nowMs += 1;
    expect(await of(holder)).toEqual({ token: 'three' });
    tell(holder.name, 'three', true);
    expect(await of(holder)).toEqual({ token: 'three' });
  });

  test('late, when there is another one already, drops nothing', async () => {
    const self = server(granted('one'), granted('two'));
    const { of, reportUse: tell } = self.tokens;
    await of(holder);
    tell(holder.name, 'one', true);
    await of(holder);
    tell(holder.name, 'one', true);
    tell('main nobody', 'one', true);
    expect(await of(holder)).toEqual({ token: 'two' });
  });
});

describe('no token', () => {
  const unreachable: SendOutcome = { kind: 'unreachable', why: 'timeout', detail: 'Late.' };
  const said = (body: string | undefined): SendOutcome => ({
    kind: 'answered',
    status: 200,
    ...(body !== undefined && { body }),
  });
  test.each([
    ['when nobody answers', unreachable, 'no token: timeout'],
    ['when the server refuses', refusal(403), 'no token: status 403'],
    ['when the server fails', refusal(500), 'no token: status 500'],
    ['when the credentials are wrong', refusal(401), 'no token: status 401'],
    ['when the answer is no JSON', said('<html>'), 'no token: an answer without one'],
    ['when the answer is too large', said(undefined), 'no token: an answer without one'],
    ['when the answer is no object', said('[]'), 'no token: an answer without one'],
    ['when there is none', granted('', {}), 'no token: an answer without one'],
    ['when it is no text', granted(5 as never), 'no token: an answer without one'],
    ['when no header can hold it', granted('a\r\nb'), 'no token: an answer without one'],
    [
      'when it is of another type',
      granted('a', { token_type: 'mac' }),
      'no token: an answer without one',
    ],
    [
      'when its type is not said',
      granted('a', { token_type: 5 }),
      'no token: an answer without one',
    ],
  ])('is there %s, and none is kept', async (_, answer, why) => {
    const self = server(answer, answer, granted('one'));
    expect(await self.tokens.of(holder)).toEqual({ kind: 'unreachable', why });
    const { length } = self.requests;
    await self.tokens.of(holder);
    expect(self.requests.length).toBeGreaterThan(length);
  });

  test('keeps nobody waiting when asking itself fails', async () => {
    const self = server();
    await expect(self.tokens.of(holder)).rejects.toThrow('Nobody answers.');
    await expect(self.tokens.of(holder)).rejects.toThrow('Nobody answers.');
  });
});
