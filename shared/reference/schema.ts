/**
 * What is sent and answered, as JSON Schema: bodies from the shapes that check them, answers from the
 * envelope of the interface around the data of each kind. Members may be added to what we answer, so
 * that no object of an answer is closed. Decision 30.
 */
import * as z from 'zod/mini';
import { assert } from '../ledger/assert.ts';
import { type Kind, kinds, lineOf } from '../ledger/kind.ts';
import { CheckBody } from '../shape/access.ts';
import { LookupBody } from '../shape/anchor.ts';
import { createBody, dataShape, proofBody, updateBody } from '../shape/body.ts';
import { RequestBody, RetryBody } from '../shape/effect.ts';
import { Fact, SignerMatcher } from '../shape/matcher.ts';
import { Custom, Hex64, SentProof } from '../shape/proof.ts';
import { AddressHandle, DropBody, NameHandle } from '../shape/record.ts';
import { AccessRule, BearerMatcher } from '../shape/rule.ts';
import {
  Amount,
  Balance,
  CountedPage,
  countedListOf,
  Delivery,
  ErrorAnswer,
  Limit,
  Luid,
  listOf,
  Moment,
  Page,
  Permission,
  Permissions,
  Proof,
  proofs,
  StatusAnswer,
  Text,
} from './answers.ts';
import type { Schema } from './openapi.ts';
import { titleOf, typeNameOf } from './operation.ts';
import { explained } from './words.ts';

interface Name {
  readonly id: string;
  readonly description: string;
}

type Named = readonly [schema: z.ZodMiniType, id: string, description: string];

const common: readonly Named[] = [
  [Hex64, 'Hash', 'A sha256 in hexadecimal.'],
  [Custom, 'Custom', 'Free-form: any JSON object.'],
  [AddressHandle, 'Handle', 'A handle or an address: `[schema:]handle[@domain]`.'],
  [NameHandle, 'LedgerHandle', 'The handle of a ledger or a domain.'],
  [Fact, 'Fact', 'A text, or conditions on one.'],
  [SentProof, 'SentProof', 'A signature over a digest. What is not shown is ignored.'],
  [Proof, 'Proof', 'A signature over a digest, as it was accepted.'],
  [Page, 'Page', 'Which page of a list this is.'],
  [CountedPage, 'CountedPage', 'Which page of a list this is, and how long the list is.'],
  [DropBody, 'Drop', 'Ends a record. Every proof says `dropped`.'],
  [CheckBody, 'Check', 'Asks what the caller may do.'],
  [LookupBody, 'Lookup', 'Asks for anchors by conditions on dot paths of their data.'],
  [SignerMatcher, 'SignerMatcher', 'Which signers are meant.'],
  [BearerMatcher, 'BearerMatcher', 'Which tokens are meant.'],
  [AccessRule, 'AccessRule', 'Grants something, or stands for the rules of a policy.'],
  [Permission, 'Permission', 'A rule that grants what was asked.'],
  [Permissions, 'PermissionList', 'The rules that grant what was asked; none is an empty list.'],
  [RequestBody, 'Request', 'Asks for something to be done; its data says nothing more.'],
  [RetryBody, 'Retry', 'Which deliveries to send again: one, or all of the last minutes.'],
  [ErrorAnswer, 'Error', 'A refusal: `reason` for programs, `detail` for people.'],
  [StatusAnswer, 'Status', 'Whether the service is up.'],
  [Balance, 'Balance', 'What a wallet has of a symbol, in its smallest unit.'],
  [countedListOf(Balance), 'BalanceList', 'Balances, by symbol and then schema.'],
  [Limit, 'Limit', 'What bounds what a wallet has of a symbol, or transfers in a day.'],
  [listOf(Limit), 'LimitList', 'Limits, by symbol and then metric.'],
  [Delivery, 'Delivery', 'One event, or one call to a bridge, on its way to one target.'],
  [listOf(Delivery), 'DeliveryList', 'Deliveries, newest first.'],
];

/** What the ledger says of a factor beside its data: who asks for tokens with it. Ruling 28. */
const clientMeta = {
  clientId: z.exactOptional(
    Text.check(z.describe('Of client credentials: the name to ask for tokens with.')),
  ),
};
const clientSecret = {
  secret: z.exactOptional(
    z
      .object({ clientSecret: Text.check(z.describe('The secret to ask for tokens with.')) })
      .check(z.describe('Told once: when it was made.')),
  ),
};

/** What the ledger says of an intent that commits or fails together with others. Ruling 43. */
const threadMeta = {
  thread: z.exactOptional(Text.check(z.describe('The handle of the first intent of its thread.'))),
};

/** What an unfinished intent is waiting for, as it is told to whoever reads it. Decision 57. */
const waiting = z.exactOptional(
  z
    .array(
      z.object({
        for: z.enum(['signatures', 'decision', 'bridge']),
        until: z.exactOptional(Moment),
        entry: z.exactOptional(Text),
        bridge: z.exactOptional(Text),
        action: z.exactOptional(z.enum(['prepare', 'commit', 'abort', 'status'])),
        since: z.exactOptional(Moment),
        status: z.exactOptional(Text),
        attempts: z.exactOptional(z.int().check(z.minimum(0))),
        next: z.exactOptional(Moment.check(z.describe('When the bridge is called again.'))),
        reason: z.optional(z.unknown()),
        detail: z.optional(z.unknown()),
      }),
    )
    .check(z.describe('What it waits for, while it is under way.')),
);

/** What is shown of a record in the answer that is about it alone. */
const toldOf: Partial<Record<Kind, Readonly<Record<string, z.ZodMiniType>>>> = {
  'signer-factor': clientSecret,
  intent: { waiting },
};

/** What is sent and answered of one kind. */
function ofKind(kind: Kind): readonly Named[] {
  const name = typeNameOf(kind);
  const title = titleOf(kind).toLowerCase();
  const meta = {
    proofs,
    status: Text,
    moment: Moment,
    owners: z.array(Text),
    labels: z.exactOptional(z.array(Text)),
    domain: z.exactOptional(Text),
    ...(kind === 'signer-factor' && clientMeta),
    ...(kind === 'intent' && threadMeta),
  };
  const told = toldOf[kind] ?? {};
  const data = z.object({ ...dataShape(kind).shape, parent: z.exactOptional(Hex64) });
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
  const Record = z.object({ ...record, meta: z.object({ ...meta, ...told }) });
  const Change = z.object({ ...record, meta: z.object({ ...meta, ...done }) });
  const changes = countedListOf(Change, { moment: Moment });
  const proof = proofBody(kind);
  return [
    [createBody(kind), `Create${name}`, `Creates a record: ${title}.`],
    [updateBody(kind), `Update${name}`, `Gives a record new data: ${title}.`],
    ...(proof === SentProof
      ? []
      : [[proof, `${name}Proof`, `A proof of a record: ${title}.`] as const]),
    [data, `${name}Data`, `What authors say of a record: ${title}.`],
    [Record, name, `A record: ${title}.`],
    [listOf(Record), `${name}List`, `A page of records: ${title}.`],
    [Change, `${name}Change`, `A record as it stood after a change: ${title}.`],
    [changes, `${name}ChangeList`, `A page of changes, newest first: ${title}.`],
  ];
}

/** The place of a schema in the document. */
export function refTo(id: string): { readonly $ref: string } {
  return { $ref: `#/components/schemas/${id}` };
}

/** Every schema there is, by its name. */
export function allSchemas(): Record<string, Schema> {
  const names = z.registry<Name>();
  const all = [...common, ...(Object.keys(kinds) as Kind[]).flatMap(ofKind)];
  for (const [schema, id, description] of all) names.add(schema as never, { id, description });
  const { schemas } = z.toJSONSchema(names, {
    io: 'input',
    uri: (id) => refTo(id).$ref,
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema === Amount) jsonSchema.type = 'integer';
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
      delete jsonSchema.propertyNames;
    },
  });
  // What refers to itself needs a name, or it is named for us, in a place that no document has.
  assert(!('__shared' in schemas), 'a shape that refers to itself has a name here');
  const entries = Object.entries(schemas).map(([id, { $schema, $id, ...schema }]) => {
    return [id, explained(schema as Schema, id)] as const;
  });
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
}
