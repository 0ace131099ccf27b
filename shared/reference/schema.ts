/**
 * Bodies and answers as JSON Schema. Bodies come from the shapes that validate them, answers from the data of each kind
 * in the envelope of the interface. Objects of answers stay open, since later releases may add members. Decision 30.
 */
import * as z from 'zod/mini';
import { assert } from '../ledger/assert.ts';
import { hasKeys, type Kind, kinds, lineOf } from '../ledger/kind.ts';
import { CheckBody } from '../shape/access.ts';
import { LookupBody } from '../shape/anchor.ts';
import { batchOf } from '../shape/batch.ts';
import { createBody, dataShape, proofBody, updateBody } from '../shape/body.ts';
import { RequestBody, RetryBody } from '../shape/effect.ts';
import { Fact, SignerMatcher } from '../shape/matcher.ts';
import { Custom, Hex64, SentProof } from '../shape/proof.ts';
import { AddressHandle, DropBody, Moment, NameHandle } from '../shape/record.ts';
import { AccessRule, BearerMatcher } from '../shape/rule.ts';
import { signalNames } from '../shape/signal-name.ts';
import {
  Amount,
  Balance,
  CountedPage,
  countedListOf,
  Delivery,
  Entry,
  EntryBalance,
  EntryList,
  ErrorAnswer,
  HealthAnswer,
  Limit,
  LogConsistency,
  LogProof,
  Luid,
  listOf,
  Page,
  Permission,
  Permissions,
  Preview,
  Proof,
  proofs,
  Receipt,
  SignerKey,
  StatusAnswer,
  Sum,
  Supply,
  Text,
} from './answers.ts';
import {
  bridgeEntryShape,
  decisionShape,
  type EventParts,
  eventMembers,
  familyShapes,
  preparationShape,
} from './event-shapes.ts';
import { explained } from './explain.ts';
import type { Schema } from './openapi.ts';
import { titleOf, typeNameOf } from './operation.ts';

interface SchemaName {
  readonly id: string;
  readonly description: string;
}

type NamedSchema = readonly [schema: z.ZodMiniType, id: string, description: string];

const common: readonly NamedSchema[] = [
  [Hex64, 'Hash', 'A SHA-256 in hexadecimal.'],
  [Custom, 'Custom', 'Free-form: any JSON object.'],
  [AddressHandle, 'Handle', 'A handle or an address: `[schema:]handle[@domain]`.'],
  [NameHandle, 'LedgerHandle', 'The handle of a ledger or a domain.'],
  [Fact, 'Fact', 'A text, or conditions on a text.'],
  [
    SentProof,
    'SentProof',
    'A signature over a digest, as a client sends it. Other members are ignored.',
  ],
  [Proof, 'Proof', 'A signature over a digest, as it was accepted.'],
  [Page, 'Page', 'The position of a page in a list.'],
  [CountedPage, 'CountedPage', 'The position of a page in a list, and the length of the list.'],
  [DropBody, 'Drop', 'Drops a record. Every proof has the status `dropped`.'],
  [CheckBody, 'Check', 'Asks which actions the caller is granted.'],
  [LookupBody, 'Lookup', 'Finds anchors by conditions on dot paths of their data.'],
  [SignerMatcher, 'SignerMatcher', 'The signers that a rule applies to.'],
  [BearerMatcher, 'BearerMatcher', 'The tokens that a rule applies to.'],
  [AccessRule, 'AccessRule', 'Grants an action, or refers to the rules of a policy.'],
  [Permission, 'Permission', 'A rule that grants the action in question.'],
  [
    Permissions,
    'PermissionList',
    'The rules that grant the action in question; empty when none does.',
  ],
  [Preview, 'IntentPreview', 'What the creation of an intent would do now.'],
  [RequestBody, 'Request', 'A signed request without further data.'],
  [RetryBody, 'Retry', 'The deliveries to repeat: one, or all of the last minutes.'],
  [ErrorAnswer, 'Error', 'An error: `reason` is for programs, `detail` for people.'],
  [StatusAnswer, 'Status', 'The health of the service.'],
  [HealthAnswer, 'Health', 'The health of the service, and its backlogs.'],
  [Balance, 'Balance', 'The balance of a wallet in a symbol, in its smallest unit.'],
  [countedListOf(Balance), 'BalanceList', 'Balances, ordered by symbol, then schema.'],
  [Entry, 'Entry', 'An entry of a wallet in a symbol, with the balance after it.'],
  [EntryBalance, 'EntryBalance', 'The balance of a wallet before or after entries.'],
  [
    EntryList,
    'EntryList',
    'Entries, oldest first, with the balance before and after all that were asked for.',
  ],
  [listOf(Balance), 'AllBalanceList', 'Balances of wallets, in the order of the list of wallets.'],
  [Sum, 'Sum', 'The sum of balances in a symbol, in its smallest unit.'],
  [listOf(Sum), 'SumList', 'Sums, ordered by symbol, supplies first.'],
  [Supply, 'Supply', 'The supply of a symbol, in its smallest unit.'],
  [LogProof, 'LogProof', 'The proof that the log has a change, under a checkpoint.'],
  [LogConsistency, 'LogConsistency', 'The proof that the log only went on.'],
  [Receipt, 'Receipt', 'A change with all that proves it, without the ledger.'],
  [Limit, 'Limit', 'A limit on the balance of a wallet in a symbol, or on its transfers of a day.'],
  [SignerKey, 'SignerKey', 'A key of a signer of the service, in its time (Ruling 99).'],
  [listOf(Limit), 'LimitList', 'Limits, ordered by symbol, then metric.'],
  [Delivery, 'Delivery', 'The delivery of one event, or of one call to a bridge, to one target.'],
  [listOf(Delivery), 'DeliveryList', 'Deliveries, newest first.'],
];

/** Member of the `meta` of a signer and a factor, once a key has handed over to theirs. Decision 157. */
const keyMeta = {
  predecessors: z.exactOptional(
    z
      .array(Text)
      .check(
        z.describe(
          'The keys that have handed over what they owned to the key of this record, the last one first.',
        ),
      ),
  ),
};

/** Members of a factor's `meta`, for client credentials. Ruling 28. */
const clientMeta = {
  clientId: z.exactOptional(
    Text.check(z.describe('The `client_id` for token requests; of client credentials only.')),
  ),
};
const clientSecret = {
  secret: z.exactOptional(
    z
      .object({ clientSecret: Text.check(z.describe('The `client_secret` for token requests.')) })
      .check(z.describe('Only in the answer that made the secret.')),
  ),
};

/** The member of the data of a signer of the service that no author can write. Ruling 99. */
const signerKeys = {
  keys: z.exactOptional(
    z
      .array(SignerKey)
      .check(
        z.describe('Its keys, oldest first, once the key of a signer of the service rotated.'),
      ),
  ),
};

/** Member of an intent's `meta`, when it commits or fails together with others. Ruling 43. */
const threadMeta = {
  thread: z.exactOptional(Text.check(z.describe('The handle of the first intent of its thread.'))),
};

/** The events that a pending intent waits for. Decision 57. */
const waiting = z.exactOptional(
  z
    .array(
      z.object({
        for: z.enum(['moment', 'signatures', 'decision', 'bridge']),
        from: z.exactOptional(Moment),
        until: z.exactOptional(Moment),
        entry: z.exactOptional(Text),
        bridge: z.exactOptional(Text),
        action: z.exactOptional(z.enum(['prepare', 'commit', 'abort', 'status'])),
        since: z.exactOptional(Moment),
        status: z.exactOptional(Text),
        attempts: z.exactOptional(z.int().check(z.minimum(0))),
        next: z.exactOptional(Moment.check(z.describe('The time of the next call to the bridge.'))),
        reason: z.optional(z.unknown()),
        detail: z.optional(z.unknown()),
      }),
    )
    .check(z.describe('The events that the intent waits for, until it is final.')),
);

/** The member of `meta` that `include=leaf` asks for. Ruling 101. */
const leafMeta = {
  leaf: z.exactOptional(
    z
      .int()
      .check(
        z.minimum(0),
        z.describe('The index of the change in the log; only where `include=leaf` asks for it.'),
      ),
  ),
};

/** Members of `meta` in the answer for a single record, which lists and histories leave out. */
const metaAloneOf: Partial<Record<Kind, Readonly<Record<string, z.ZodMiniType>>>> = {
  'signer-factor': clientSecret,
  intent: { waiting },
};

/** The bodies and answers of one kind. */
function ofKind(kind: Kind): readonly NamedSchema[] {
  const name = typeNameOf(kind);
  const title = titleOf(kind).toLowerCase();
  const meta = {
    proofs,
    status: Text,
    moment: Moment,
    owners: z.array(Text),
    labels: z.exactOptional(z.array(Text)),
    domain: z.exactOptional(Text),
    ...(hasKeys(kind) && keyMeta),
    ...(kind === 'signer-factor' && clientMeta),
    ...(kind === 'intent' && threadMeta),
  };
  const metaAlone = metaAloneOf[kind] ?? {};
  const data = z.object({
    ...dataShape(kind).shape,
    ...(kind === 'signer' && signerKeys),
    parent: z.exactOptional(Hex64),
  });
  const record = { luid: Luid(lineOf(kind).prefix), hash: Hex64, data };
  const Drop = z.object({
    hash: Hex64,
    data: z.object({ parent: Hex64 }),
    meta: z.object({ proofs }),
  });
  const drop = z.exactOptional(Drop);
  const done = {
    action: z.enum(['create', 'update', 'drop']),
    change: z.int().check(z.minimum(1)),
    drop,
  };
  const Record = z.object({ ...record, meta: z.object({ ...meta, ...metaAlone, ...leafMeta }) });
  const Change = z.object({ ...record, meta: z.object({ ...meta, ...done, ...leafMeta }) });
  const changes = countedListOf(Change, { moment: Moment });
  const Create = createBody(kind);
  const proof = proofBody(kind);
  return [
    [Create, `Create${name}`, `Creates a record of the kind ${title}.`],
    [updateBody(kind), `Update${name}`, `Updates a record of the kind ${title}.`],
    ...(proof === SentProof
      ? []
      : [[proof, `${name}Proof`, `A proof for a record of the kind ${title}.`] as const]),
    ...(kind === 'intent' ? batchesOf(Create, Record) : []),
    [data, `${name}Data`, `The signed data of a record of the kind ${title}.`],
    [Record, name, `A record of the kind ${title}.`],
    [listOf(Record), `${name}List`, `A page of records of the kind ${title}.`],
    [Change, `${name}Change`, `A record of the kind ${title}, as it stood after a change.`],
    [
      changes,
      `${name}ChangeList`,
      `A page of changes of a record of the kind ${title}, newest first.`,
    ],
  ];
}

/** The body and the answer of a batch of intents. Ruling 90. */
function batchesOf(element: z.ZodMiniType, record: z.ZodMiniObject): readonly NamedSchema[] {
  const { meta } = record.shape;
  const shortened = z.exactOptional(
    z
      .literal(true)
      .check(
        z.describe('Only the last proof of each key of the ledger is shown, for want of room.'),
      ),
  );
  const line = { status: z.int().check(z.describe('The HTTP status of a create of its own.')) };
  const Line = z.extend(record, {
    ...line,
    meta: z.extend(meta as z.ZodMiniObject, { isShortened: shortened }),
  });
  const Refused = z.extend(ErrorAnswer, line);
  const Batch = z.object({
    hash: Hex64,
    data: z.array(z.union([Line, Refused])),
    meta: z.object({ proofs }),
  });
  return [
    [batchOf(element), 'CreateIntentBatch', 'Up to 100 signed intents.'],
    [Line, 'BatchedIntent', 'An intent of a batch that is stored.'],
    [Refused, 'RefusedIntent', 'The error of an intent of a batch.'],
    [Batch, 'IntentBatch', 'The intents of a batch in their order, each stored or refused.'],
  ];
}

/** The bodies that the ledger sends: events by family, and calls to bridges. Rulings 54 and 59. */
function sentSchemas(recordOf: EventParts['recordOf']): readonly NamedSchema[] {
  const parts = { recordOf, Proof };
  const bodyOf = (data: z.ZodMiniObject) =>
    z.object({ hash: Hex64, data, meta: z.object({ proofs }) });
  const Entry = bridgeEntryShape(parts);
  const { handle, change, moment } = eventMembers;
  const Event = bodyOf(z.object({ handle, signal: z.enum(signalNames), change, moment }));
  const events = [...familyShapes(parts, Entry)].map(([family, { signals, data }]) => {
    const description = `The event of ${signals.map((signal) => `\`${signal}\``).join(', ')}.`;
    return [z.intersection(Event, z.object({ data })), `${family}Event`, description] as const;
  });
  return [
    [Event, 'Event', 'What every event has: a record that the ledger has signed.'],
    [Entry, 'BridgeEntry', 'A debit or a credit at a bridge, as it stood at the event.'],
    [bodyOf(preparationShape(parts)), 'PrepareCall', 'Asks a bridge to prepare an entry.'],
    [bodyOf(decisionShape(parts)), 'DecisionCall', 'Asks a bridge to commit or abort an entry.'],
    ...events,
  ];
}

export function refTo(id: string): { readonly $ref: string } {
  return { $ref: `#/components/schemas/${id}` };
}

export function allSchemas(): Record<string, Schema> {
  const names = z.registry<SchemaName>();
  const ofKinds = (Object.keys(kinds) as Kind[]).flatMap(ofKind);
  const records = new Map(ofKinds.map(([schema, id]) => [id, schema] as const));
  const recordOf = (kind: Kind) => {
    const record = records.get(typeNameOf(kind));
    assert(record, 'each kind has its record');
    return record;
  };
  const all = [...common, ...ofKinds, ...sentSchemas(recordOf)];
  for (const [schema, id, description] of all) names.add(schema as never, { id, description });
  const texts = new Map(all.map(([, id, description]) => [id, description] as const));
  const { schemas } = z.toJSONSchema(names, {
    io: 'input',
    uri: (id) => refTo(id).$ref,
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema === Amount) jsonSchema.type = 'integer';
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
      delete jsonSchema.propertyNames;
    },
  });
  // zod puts a recursive shape without a name under `__shared`, where no reference may point.
  assert(!('__shared' in schemas), 'a shape that refers to itself has a name here');
  const entries = Object.entries(schemas).map(([id, { $schema, $id, ...schema }]) => {
    // zod emits the id of a name alone.
    const described = { description: texts.get(id) ?? '', ...schema };
    return [id, explained(described as Schema, id)] as const;
  });
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
}
