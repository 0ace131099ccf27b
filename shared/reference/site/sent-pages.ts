/** The pages of what the ledger sends by itself: events, and calls to bridges. */
import { type Html, html, joined, markedUp } from '../html.ts';
import type { OpenApi } from '../openapi.ts';
import {
  callAnswers,
  eventAnswers,
  eventSchemaNames,
  ownMembersOf,
  type SentCall,
  sentAnswers,
  sentCalls,
  signalsIn,
  webhookHeaders,
} from '../sent.ts';
import { signalText } from '../signal-texts.ts';
import { table } from './guide-pages.ts';
import { codeBlock } from './highlight.ts';
import { type MemberOptions, memberList } from './members.ts';
import { hrefOfSchema } from './record-pages.ts';
import { hrefFrom, type SectionLink, type SitePage } from './shell.ts';

/** Real bodies that the ledger has sent, shortened: by signal, and by the name of a call. */
export type SentExamples = Readonly<Record<string, unknown>>;

const eventsPath = 'events';
const callsPath = 'calls';

function optionsOf(document: OpenApi, path: string, id: string): MemberOptions {
  return { document, hrefOf: (name) => hrefOfSchema(document, path, name), id };
}

/** The table of the answers of a target, by status. */
function answerTable(label: string, names: readonly string[]): Html {
  const statusIn = (name: string) => {
    const [, status = ''] = name.split('.');
    return status === 'default' ? 'any other' : status.replace('XX', 'xx');
  };
  const rows = names.map((name) => {
    const { description = '' } = sentAnswers[name] ?? {};
    return html`<tr><td>${statusIn(name)}</td><td>${markedUp(description)}</td></tr>
`;
  });
  return html`<div class="wide" tabindex="0" role="region" aria-label="${label}"><table><thead><tr><th>answer</th><th>what the ledger does</th></tr></thead><tbody>
${rows}</tbody></table></div>`;
}

function exampleBlock(title: string, example: unknown): Html {
  if (example === undefined) return html``;
  const text = typeof example === 'string' ? example : JSON.stringify(example, null, 2);
  return html`<div class="code answer"><div class="head"><span>${title}</span></div>${codeBlock(text, 'json', title)}</div>`;
}

interface SentSection {
  readonly id: string;
  readonly title: string;
  readonly body: Html;
  readonly samples?: Html;
}

function sectionOf({ id, title, body, samples }: SentSection): Html {
  const heading = html`<h2><a class="anchor" href="#${id}">${title}</a></h2>`;
  return samples
    ? html`<section class="operation" id="${id}"><div class="words">${heading}
${body}</div>
<div class="samples">${samples}</div></section>
`
    : html`<section class="prose" id="${id}">${heading}
${body}</section>
`;
}

/** The path, the title and the first sentence of a page. */
interface PageHead {
  readonly path: string;
  readonly title: string;
  readonly description: string;
}

function pageOf(head: PageHead, sections: readonly SentSection[]): SitePage {
  const { title, description } = head;
  const body = html`<h1>${title}</h1>
<p class="lead">${markedUp(description)}</p>
${sections.map(sectionOf)}`;
  const places: SectionLink[] = sections.map(({ id, title: name }) => ({ id, title: name }));
  return { ...head, body, places };
}

/** `SignerFactorEvent` as the title of its section: `Signer factor`. */
function titleOfFamily(name: string): string {
  const words = name.replace(/Event$/, '').replaceAll(/(?<=.)[A-Z]/g, ' $&');
  return words.charAt(0) + words.slice(1).toLowerCase();
}

/** The place of a schema of what is sent: its family of events, or the page of calls. */
export function placeOfSent(name: string): string {
  return name.endsWith('Event') ? `${eventsPath}#${name}` : `${callsPath}#${name}`;
}

export function eventsPage(document: OpenApi, examples: SentExamples): SitePage {
  const { schemas } = document.components;
  const headers = Object.values(webhookHeaders).map(
    ({ name, description }) => [name, description] as const,
  );
  const effects = hrefFrom(eventsPath, 'effects');
  const atBridge = hrefFrom(eventsPath, callsPath, 'sendEvent');
  const families = eventSchemaNames(schemas).map((name): SentSection => {
    const signals = signalsIn(schemas[name]);
    const rows = signals.map((signal) => [signal, signalText(signal)] as const);
    return {
      id: name,
      title: titleOfFamily(name),
      body: html`${table(`Signals of ${titleOfFamily(name)}`, ['signal', 'when'], rows)}
<p>${markedUp(schemas[name]?.description ?? '')}</p>
${memberList(ownMembersOf(schemas[name]).properties?.['data'] ?? {}, optionsOf(document, eventsPath, `${name}-data`))}`,
      samples: html`${signals.map((signal) => exampleBlock(signal, examples[signal]))}`,
    };
  });
  const head = {
    path: eventsPath,
    title: 'Signals and events',
    description:
      'Every change publishes a signal. An effect subscribes to one, and its target gets an event for each: a record that the ledger has signed.',
  };
  return pageOf(head, [
    {
      id: 'subscribe',
      title: 'Subscribe',
      body: html`<p>${markedUp('Make an effect for each signal. Its `filter` has conditions on the paths of the `data` of the event, as it is shown below.')} <a href="${effects}">Effects</a></p>`,
    },
    {
      id: 'headers',
      title: 'Headers of a webhook',
      body: html`<p>${markedUp('An event is posted to the `endpoint` of the effect with the headers of Standard Webhooks 1.0. At a bridge it has those of the bridge.')} <a href="${atBridge}">An event at a bridge</a></p>
${table('Headers of a webhook', ['header', 'meaning'], headers)}
<p>${markedUp('Verify the body as it came, byte for byte, before you parse it. An event may come twice: keep the handles. Events of one record come in their order while the target answers.')}</p>`,
    },
    {
      id: 'answers',
      title: 'How to answer',
      body: html`<p>${markedUp('Answer within 10 s, as soon as the event is stored. The body of the answer is not used.')}</p>
${answerTable('Answers to events', eventAnswers)}`,
    },
    {
      id: 'Event',
      title: 'Every event',
      body: html`<p>${markedUp(schemas['Event']?.description ?? '')}</p>
${memberList(schemas['Event'] ?? {}, optionsOf(document, eventsPath, 'Event'))}`,
    },
    ...families,
  ]);
}

export function callsPage(document: OpenApi, examples: SentExamples): SitePage {
  const head = {
    path: callsPath,
    title: 'Calls to bridges',
    description:
      'The requests that a bridge has to answer. The ledger makes them for its side of an intent, below the `server` of its record.',
  };
  const bridges = hrefFrom(callsPath, 'bridges');
  const report = hrefFrom(callsPath, 'intents', 'addIntentProof');
  const shapes = ['PrepareCall', 'DecisionCall', 'BridgeEntry'] as const;
  const reportRows = Object.entries(reportTexts).map(
    ([status, text]) => html`<tr><td><code>${status}</code></td><td>${markedUp(text)}</td></tr>
`,
  );
  return pageOf(head, [
    {
      id: 'verify',
      title: 'Verify a call',
      body: html`<p>${markedUp('A proof of the signer `system` of the ledger signs the `hash` of the body, and `hash` is that of `data`. No signature covers the path: compare it with `handle` and `action` in the data. The intent must have a `resolved` proof of the ledger that gives the entry to your bridge. `secure` of the bridge adds headers with secrets, or a token of OAuth 2.0; the headers of webhooks are not there.')} <a href="${bridges}">Bridges</a></p>`,
    },
    {
      id: 'answers',
      title: 'How to answer',
      body: html`<p>${markedUp('Answer within 10 s, as soon as the call is stored. The handle of the entry is the idempotency key: the same call may come again with the same body, and is answered the same way.')}</p>
${answerTable('Answers to calls', callAnswers)}`,
    },
    {
      id: 'report',
      title: 'How to report',
      body: html`<p>${markedUp('By a proof on the intent, signed by the key of the bridge over the hash of the intent, with `{handle, status, moment}` and perhaps `coreId` in its `custom`. It is sent until the ledger accepts it, and counts once.')} <a href="${report}">Add a proof to an intent</a></p>
<div class="wide" tabindex="0" role="region" aria-label="Reports"><table><thead><tr><th>status</th><th>meaning</th></tr></thead><tbody>
${reportRows}</tbody></table></div>`,
    },
    ...sentCalls.map((call) => callSection(document, call, examples)),
    ...shapes.map((name): SentSection => {
      const schema = document.components.schemas[name] ?? {};
      return {
        id: name,
        title: name,
        body: html`<p>${markedUp(schema.description ?? '')}</p>
${memberList(schema, optionsOf(document, callsPath, name))}`,
      };
    }),
  ]);
}

/** The reports of a bridge on an entry. Ruling 56. */
const reportTexts: Readonly<Record<string, string>> = {
  prepared: 'After `prepare`: it can always be committed from now on, since the money is held.',
  failed:
    'After `prepare`: it will not be done. `reason` begins with `bridge.`, and `detail` explains it; the intent is rejected.',
  committed: 'After `commit`: the money has moved.',
  aborted: 'After `abort`: nothing is held any more.',
};

function callSection(document: OpenApi, call: SentCall, examples: SentExamples): SentSection {
  const { name, method, path, summary, description, schema } = call;
  const href = schema === undefined ? eventsPath : hrefOfCallBody(document, schema);
  const body = schema ?? 'Any event';
  const segments = path.split('/').slice(1);
  const shown = joined(
    segments.map((segment) => html`/<wbr>${segment}`),
    '',
  );
  return {
    id: name,
    title: summary,
    body: html`<p class="route"><span class="method ${method.toLowerCase()}">${method}</span> <code>{server}${shown}</code></p>
<p>${markedUp(description)}</p>
<h3>Body</h3><p><a href="${href}">${body}</a></p>`,
    samples: exampleBlock('Body', examples[name]),
  };
}

function hrefOfCallBody(document: OpenApi, schema: string): string {
  return hrefOfSchema(document, callsPath, schema) ?? `#${schema}`;
}
