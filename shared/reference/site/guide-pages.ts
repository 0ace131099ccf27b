/** The pages that are about every request: how to sign, parameters, errors, and signals. */
import { failureReasons } from '../../ledger/errors.ts';
import { type Kind, kinds, lineOf } from '../../ledger/kind.ts';
import { statusOf } from '../../port/status.ts';
import { entrySignals, monitorSignal, signalNames } from '../../shape/signal-name.ts';
import { reasons, statusTexts } from '../errors.ts';
import { type Html, html, markedUp } from '../html.ts';
import type { OpenApi } from '../openapi.ts';
import { failureTexts, refusalTexts } from '../reason-texts.ts';
import { sampleBase } from '../sample-base.ts';
import { signingProgram, signingSteps } from '../signing.ts';
import { codeBlock } from './highlight.ts';
import { limitsOf } from './members.ts';
import { hrefFrom, type SectionLink, type SitePage } from './shell.ts';

type Row = readonly [name: string, ...columns: (Html | string)[]];

/** A table whose rows can be linked by the name in their first one. */
function table(label: string, heads: readonly string[], rows: readonly Row[]): Html {
  const columns = (row: Row) =>
    row
      .slice(1)
      .map(
        (one, index) =>
          html`<td data-head="${heads[index + 1] ?? ''}">${typeof one === 'string' ? markedUp(one) : one}</td>`,
      );
  const body = rows.map(
    (row) => html`<tr id="${row[0]}"><td><code>${row[0]}</code></td>${columns(row)}</tr>
`,
  );
  return html`<div class="wide" tabindex="0" role="region" aria-label="${label}"><table><thead><tr>${heads.map((head) => html`<th>${head}</th>`)}</tr></thead><tbody>
${body}</tbody></table></div>`;
}

interface Section {
  readonly id: string;
  readonly title: string;
  readonly body: Html;
}

function pageOf(
  path: string,
  title: string,
  description: string,
  sections: readonly Section[],
): SitePage {
  const body = html`<h1>${title}</h1>
<p class="lead">${markedUp(description)}</p>
${sections.map(
  (
    one,
  ) => html`<section class="prose" id="${one.id}"><h2><a class="anchor" href="#${one.id}">${one.title}</a></h2>
${one.body}</section>
`,
)}`;
  const places: SectionLink[] = sections.map(({ id, title: name }) => ({ id, title: name }));
  return { path, title, description, body, places };
}

const code = (text: string, language: string): Html =>
  html`<div class="code">${codeBlock(text, language)}</div>`;

export function signingPage(): SitePage {
  const command = [
    'npx countersign key',
    `npx countersign sign '{"handle": "alice"}' |`,
    `  curl -s ${sampleBase}/wallets -H 'content-type: application/json' -d @-`,
  ].join('\n');
  const steps = signingSteps.map((step) => html`<li><p>${markedUp(step)}</p></li>`);
  return pageOf(
    'signing',
    'Sign a request',
    'A body that changes something holds `data`, its `hash`, and in `meta.proofs` a signature of each author.',
    [
      {
        id: 'command',
        title: 'With the command',
        body: html`<p>${markedUp('`countersign sign` prints a signed body. The first line makes your key, once; it stays in a file of yours.')}</p>${code(command, 'bash')}`,
      },
      { id: 'steps', title: 'Step by step', body: html`<ol>${steps}</ol>` },
      {
        id: 'program-text',
        title: 'As a program',
        body: html`<p>${markedUp('With Node and no package. Save it as `first.mjs` and run `node first.mjs`.')}</p><div class="code" id="program">${codeBlock(signingProgram(sampleBase), 'typescript')}</div>`,
      },
      {
        id: 'answers',
        title: 'Answers',
        body: html`<p>${markedUp('The ledger signs by its signer `system`, whose public key is at `/signers/system`. A record has the proofs of its changes; lists, balances and errors are signed when they are answered. A body is UTF-8 JSON of at most 1 MiB and 32 levels, without duplicate keys.')}</p>`,
      },
    ],
  );
}

/** The parameters that all operations share. */
export function requestsPage({ components }: OpenApi): SitePage {
  const shared = Object.values(components.parameters).filter(
    ({ name, in: place }, index, all) =>
      place !== 'path' && all.findIndex((one) => one.name === name) === index,
  );
  const rows = shared.map(
    ({ name, in: place, description, schema }) =>
      [name, place, `${description} ${limitsOf(schema)}`] as const,
  );
  const bearer = components.securitySchemes['bearer']?.['description'] ?? '';
  const token = [
    `TOKEN=$(npx countersign token --server ${sampleBase})`,
    `curl -s ${sampleBase}/wallets -H "authorization: Bearer $TOKEN"`,
  ].join('\n');
  return pageOf(
    'requests',
    'Every request',
    'The parameters, the tokens and the limits that all operations share.',
    [
      {
        id: 'parameters',
        title: 'Parameters',
        body: table(
          'Parameters',
          ['name', 'in', 'meaning'],
          [...rows, ['authorization', 'header', `Bearer: a JWT. ${bearer}`]],
        ),
      },
      {
        id: 'tokens',
        title: 'Tokens',
        body: html`<p>${markedUp('An open ledger answers everybody. A closed one wants to know who reads: a token that a signer signs itself, good for a minute here, or one of `POST /oauth/token`.')}</p>${code(token, 'bash')}`,
      },
      {
        id: 'methods',
        title: 'Methods and origins',
        body: html`<p>${markedUp('`HEAD` is answered like `GET`, without a body. `OPTIONS` lists the methods of a path in `allow`, and any other method is 405. Pages of any origin may read answers, unless the operator limits the origins. There are no cookies.')}</p>`,
      },
    ],
  );
}

export function errorsPage(): SitePage {
  const rows = reasons.map(
    (reason) => [reason, String(statusOf[reason]), refusalTexts[reason]] as const,
  );
  const failures = failureReasons.map((reason) => [reason, failureTexts[reason]] as const);
  const deliveries = Object.entries(deliveryTexts);
  const statuses = Object.entries(statusTexts).map(([status, text]) => [status, text] as const);
  return pageOf(
    'errors',
    'Errors and failures',
    'A refusal has `data.reason` for programs and `data.detail` for people. An intent that fails is no error: it is created, and a proof on it states the reason.',
    [
      {
        id: 'statuses',
        title: 'Statuses',
        body: table('Statuses', ['status', 'meaning'], statuses),
      },
      {
        id: 'reasons',
        title: 'Reasons of refusals',
        body: table('Reasons of refusals', ['reason', 'status', 'meaning'], rows),
      },
      {
        id: 'failures',
        title: 'Reasons of failed intents',
        body: table('Reasons of failed intents', ['reason', 'meaning'], failures),
      },
      {
        id: 'token-errors',
        title: 'Errors of the token endpoint',
        body: table(
          'Errors of the token endpoint',
          ['error', 'meaning'],
          Object.entries(tokenErrors),
        ),
      },
      {
        id: 'deliveries',
        title: 'Reasons of failed deliveries',
        body: html`${table('Reasons of failed deliveries', ['reason', 'meaning'], deliveries)}<p>${markedUp('A reason that a bridge states begins with `bridge.`.')}</p>`,
      },
    ],
  );
}

/** The errors of the token endpoint. RFC 6749 5.2. */
const tokenErrors: Readonly<Record<string, string>> = {
  invalid_request: 'The body is not a valid token request.',
  unsupported_grant_type: 'The grant type is not `client_credentials`.',
  invalid_client: 'The client is unknown, or the secret is wrong.',
  server_error: 'The service failed.',
};

/** Why an attempt to deliver failed. Ruling 57. */
const deliveryTexts: Readonly<Record<string, string>> = {
  'delivery.target-rejected': 'The target answered with an error.',
  'delivery.target-unreachable': 'The target did not answer.',
  'delivery.permanent-failure':
    'The target said that it will never take it; nothing is tried again.',
  'delivery.retry-cap-exhausted': 'All attempts failed.',
  'delivery.throttled': 'The target gets fewer events for now, since it failed too often.',
};

const changeTexts: Readonly<Record<string, string>> = {
  created: 'A record was created.',
  updated: 'A record was changed.',
  'proofs-added': 'A proof was added to a record.',
  dropped: 'A record was dropped.',
};

const otherSignals: Readonly<Record<string, string>> = {
  [entrySignals[0]]: 'A bridge is to prepare an entry.',
  [entrySignals[1]]: 'An entry at a bridge has another status.',
  [entrySignals[2]]: 'A bridge has reported on an entry.',
  'balance-received': 'A wallet was credited: `intent`, `wallet`, `symbol`, `amount`.',
  'wallet-limited': 'A limit was set: `intent`, `wallet`, `symbol`, `metric`, `amount`.',
  [monitorSignal]: 'A balance crossed the threshold of a monitor, which alone receives it.',
};

/** The meaning of a signal, and whether it ever comes: some kinds are never changed or dropped. */
function signalText(signal: string): string {
  const other = otherSignals[signal];
  if (other) return other;
  const change = Object.keys(changeTexts).find((one) => signal.endsWith(`-${one}`)) ?? '';
  const kind = signal.slice(0, -change.length - 1) as Kind;
  const { drops, updates } = lineOf(kind);
  const isNever =
    (change === 'dropped' && !drops) || (change === 'updated' && !updates && kind !== 'intent');
  const text = (changeTexts[change] ?? '').replace(
    'A record',
    `A record of the kind ${kinds[kind].title.toLowerCase()}`,
  );
  return isNever ? 'Never sent: the kind has no such change.' : text;
}

export function eventsPage(): SitePage {
  const rows = signalNames.map((signal) => [signal, signalText(signal)] as const);
  const event = {
    hash: '3f1c…',
    data: {
      handle: 'evt_01JKQ3D5V8Y2R7N4T',
      signal: 'balance-received',
      change: 5,
      moment: '2026-01-01T00:00:00.000Z',
      intent: { luid: '$int.01JKQ3D5V8Y2R7N4T', hash: '9d07…', data: {}, meta: {} },
      wallet: { handle: 'bob' },
      symbol: { handle: 'usd' },
      amount: 2550,
    },
    meta: { proofs: ['…'] },
  };
  const effects = hrefFrom('events', 'effects');
  return pageOf(
    'events',
    'Signals and events',
    'Every change publishes a signal. An effect subscribes to one, and gets an event for each.',
    [
      { id: 'signals', title: 'Signals', body: table('Signals', ['signal', 'when'], rows) },
      {
        id: 'event',
        title: 'An event',
        body: html`<p>${markedUp('A webhook is posted a signed record, with the headers of Standard Webhooks that identify, date and sign it. It may come twice: keep the handles. The record as it stood is under the name of its kind.')}</p>${code(JSON.stringify(event, null, 2), 'json')}<p><a href="${effects}">Subscribe with an effect</a></p>`,
      },
    ],
  );
}
