/**
 * The requests that the ledger itself sends: events to webhooks and bridges, and calls to bridges. They are the
 * `webhooks` of the OpenAPI document, and pages of the reference. Rulings 54, 57, 59 and 61.
 */
import { type CallAction, callPlaceOf } from '../ledger/call.ts';
import { signalNames } from '../shape/signal-name.ts';
import type { OpenApi, Parameter, Reference, Response, Schema, SentOperation } from './openapi.ts';
import { nameOfRef } from './openapi.ts';

/** A call to a bridge, for one side where it is about an entry. */
export interface SentCall {
  /** Its name among the `webhooks` of the document. */
  readonly name: string;
  readonly action: CallAction | 'event';
  readonly side?: 'debit' | 'credit';
  readonly method: 'POST' | 'PUT';
  /** Below the base address of the bridge. */
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  /** The name of the schema of its body; undefined for any event. */
  readonly schema?: string;
}

const sides = [
  ['debit', 'deb_'],
  ['credit', 'cre_'],
] as const;

const titleOf = (side: string) => side.charAt(0).toUpperCase() + side.slice(1);

/** The texts of calls about entries: `*` stands for the side. */
const entryCalls = [
  {
    action: 'prepare',
    summary: 'Asks a bridge to prepare a *',
    description:
      'Hold what the entry needs, so that it can always be committed, and report `prepared`; or report `failed`. It is repeated until the bridge reports, the intent is decided, or it expires.',
    schema: 'PrepareCall',
  },
  {
    action: 'commit',
    summary: 'Asks a bridge to commit a *',
    description:
      'Move the money of the entry, and report `committed`. It cannot be refused: it is repeated until it is answered or reported, after the schedule once a day.',
    schema: 'DecisionCall',
  },
  {
    action: 'abort',
    summary: 'Asks a bridge to abort a *',
    description:
      'Release what the entry holds, and report `aborted`. It may come for an entry that was refused, or that never came: refuse its `prepare` from then on. It is repeated like a commit.',
    schema: 'DecisionCall',
  },
] as const;

/** All calls to bridges. */
export const sentCalls: readonly SentCall[] = [
  ...entryCalls.flatMap(({ action, summary, ...more }) =>
    sides.map(([side, prefix]) => {
      const { method, path } = callPlaceOf({ action }, prefix);
      return {
        ...more,
        name: `${action}${titleOf(side)}`,
        action,
        side,
        method,
        path: path.replace(prefix, '{handle}'),
        summary: summary.replace('*', side),
      };
    }),
  ),
  {
    name: 'publishIntentStatus',
    action: 'status',
    method: callPlaceOf({ action: 'status' }, '').method,
    path: `${callPlaceOf({ action: 'status' }, '').path}{handle}`,
    summary: 'Tells a bridge the status of an intent',
    description:
      'When an intent of its entries is prepared, and when it ends. There is nothing to report.',
    schema: 'Intent',
  },
  {
    name: 'sendEvent',
    action: 'event',
    method: 'POST',
    path: '/effects/{handle}',
    summary: 'Sends an event to a bridge',
    description:
      'For an effect whose action has the schema `bridge`. The body is that of a webhook. There is nothing to report.',
  },
];

const familyPattern = /^([A-Z]\w+)Event$/;

/** The schemas of events, in the order of the document. */
export function eventSchemaNames(schemas: Readonly<Record<string, Schema>>): string[] {
  const positionOf = (name: string) => signalNames.indexOf(signalsIn(schemas[name])[0] ?? '');
  return Object.keys(schemas)
    .filter((name) => familyPattern.test(name))
    .sort((one, other) => positionOf(one) - positionOf(other));
}

/** The signals that the schema of an event names. */
export function signalsIn(schema: Schema | undefined): string[] {
  const { signal } = ownMembersOf(schema).properties?.['data']?.properties ?? {};
  return (signal?.enum ?? []).map(String);
}

/** The members of the events of one family, without those that every event has. */
export function ownMembersOf(schema: Schema | undefined): Schema {
  return schema?.allOf?.find(({ $ref }) => $ref === undefined) ?? {};
}

/** The headers by which a webhook is identified, dated and verified. Standard Webhooks 1.0. */
export const webhookHeaders: Readonly<Record<string, Parameter>> = {
  'webhook-id': header(
    'webhook-id',
    'The handle of the event, which is the same in every repeat: the idempotency key.',
    { type: 'string' },
  ),
  'webhook-timestamp': header(
    'webhook-timestamp',
    'The second of the attempt, as seconds since 1970. Refuse one that is more than five minutes off.',
    { type: 'string', pattern: '^\\d+$' },
  ),
  'webhook-signature': header(
    'webhook-signature',
    'Signatures with a space between them: `v1a,` and the base64 ed25519 signature by the signer `system` over the id, a dot, the second, a dot, and the body as it came. While its key rotates there are two.',
    { type: 'string', pattern: '^v1a,[A-Za-z0-9+/]{86}==( v1a,[A-Za-z0-9+/]{86}==)?$' },
  ),
};

function header(name: string, description: string, schema: Schema): Parameter {
  return { name, in: 'header', description, required: true, schema };
}

/** The answers of targets, by the name of their component. */
export const sentAnswers: Readonly<Record<string, Response>> = {
  'event.2XX': { description: 'The event was received: it is `delivered`.' },
  'event.410': {
    description:
      'Never again: the delivery is `cancelled`, and the effect becomes `inactive` until `activate`.',
  },
  'event.501': { description: 'Not this one: the delivery is `cancelled`.' },
  'call.2XX': {
    description:
      'The call is stored durably. It says nothing of the money: that is reported by a proof on the intent.',
  },
  'call.501': {
    description:
      'The bridge does not do this: the call is not made again, and a `prepare` fails the intent.',
  },
  'sent.default': {
    description:
      'Tried again by the schedule, as after 10 s without an answer; after 429 and 503 not before `retry-after`, a day at most. Redirects are not followed.',
    headers: { 'retry-after': { $ref: '#/components/headers/retry-after' } },
  },
};

const answersOf = (names: readonly string[]): Record<string, Reference> =>
  Object.fromEntries(
    names.map((name) => [
      name.slice(name.indexOf('.') + 1),
      { $ref: `#/components/responses/${name}` },
    ]),
  );

export const eventAnswers = ['event.2XX', 'event.410', 'event.501', 'sent.default'];
export const callAnswers = ['call.2XX', 'call.501', 'sent.default'];

/** The name of the request of a webhook among the `webhooks` of the document. */
export const postedEvent = 'postEvent';

/** The `webhooks` of the document: an event that is posted to a webhook, and each call to a bridge. */
export function webhooksOf(
  schemas: Readonly<Record<string, Schema>>,
): NonNullable<OpenApi['webhooks']> {
  const anyEvent = { anyOf: eventSchemaNames(schemas).map(bodyOf) };
  const post: SentOperation = {
    ...operationOf({ schema: anyEvent, tag: 'Effect', answers: eventAnswers }),
    summary: 'Posts an event to a webhook',
    description: 'For an effect whose action has the schema `webhook`, to its `endpoint`.',
    parameters: Object.keys(webhookHeaders).map((name) => ({
      $ref: `#/components/parameters/${name}`,
    })),
  };
  const calls = sentCalls.map(({ name, action, method, path, summary, description, schema }) => {
    const operation = operationOf({
      schema: schema === undefined ? anyEvent : bodyOf(schema),
      tag: 'Bridge',
      answers: action === 'event' ? eventAnswers : callAnswers,
    });
    const place = `\`${method} {server}${path}\`, where \`server\` is that of the bridge. ${description} The headers are those that \`secure\` of the bridge names.`;
    return [
      name,
      { [method.toLowerCase()]: { ...operation, summary, description: place } },
    ] as const;
  });
  return { [postedEvent]: { post }, ...Object.fromEntries(calls) };
}

const bodyOf = (name: string) => ({ $ref: `#/components/schemas/${name}` });

interface SentParts {
  readonly schema: Schema;
  readonly tag: string;
  readonly answers: readonly string[];
}

function operationOf({ schema, tag, answers }: SentParts): Omit<SentOperation, 'summary'> {
  return {
    tags: [tag],
    security: [],
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: answersOf(answers),
  };
}

/** The parameters of operations that the service answers, without those that it sends. */
export function takenParameters({ paths, components }: OpenApi): readonly Parameter[] {
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  const names = new Set(
    operations.flatMap(({ parameters }) =>
      parameters.flatMap((one) => ('$ref' in one ? nameOfRef(one) : [])),
    ),
  );
  return Object.entries(components.parameters).flatMap(([name, one]) =>
    names.has(name) ? [one] : [],
  );
}
