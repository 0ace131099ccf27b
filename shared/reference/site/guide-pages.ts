/** The pages that are about every request: how to sign, parameters, and errors. */
import { failureReasons } from '../../ledger/errors.ts';
import { statusOf } from '../../port/status.ts';
import { reasons, statusTexts } from '../errors.ts';
import { type Html, html, markedUp } from '../html.ts';
import type { OpenApi } from '../openapi.ts';
import { failureTexts, refusalTexts } from '../reason-texts.ts';
import { sampleBase } from '../sample-base.ts';
import { takenParameters } from '../sent.ts';
import { signingProgram, signingSteps } from '../signing.ts';
import { codeBlock } from './highlight.ts';
import { limitsOf } from './members.ts';
import type { SectionLink, SitePage } from './shell.ts';

export type Row = readonly [name: string, ...columns: (Html | string)[]];

/** A table whose rows can be linked by the name in their first one. */
export function table(label: string, heads: readonly string[], rows: readonly Row[]): Html {
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
export function requestsPage(document: OpenApi): SitePage {
  const { components } = document;
  const shared = takenParameters(document).filter(
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
