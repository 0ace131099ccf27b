/** The form of an OpenAPI 3.1 document, as far as we use it: strict, so that a member that is no part of it shows. */
import * as z from 'zod';

const Words = z.string().min(1);
const name = /^[a-zA-Z0-9._-]+$/;
const named = <Value extends z.ZodType>(value: Value) => z.record(z.string().regex(name), value);

const Reference = z.strictObject({ $ref: z.string().startsWith('#/components/') });
const orReference = <Value extends z.ZodType>(value: Value) => z.union([Reference, value]);

/** Schemas are checked by their own meta schema. */
const Schema = z.looseObject({});

const Parameter = z
  .strictObject({
    name: Words,
    in: z.enum(['path', 'query', 'header']),
    description: Words,
    required: z.boolean().optional(),
    style: z.literal('form').optional(),
    explode: z.boolean().optional(),
    schema: Schema,
  })
  .refine((one) => one.in !== 'path' || one.required === true);

const Header = z.strictObject({ description: Words, schema: Schema });
const Content = z.record(
  z.string().regex(/^[a-z]+\/[a-z+-]+$/),
  z.strictObject({ schema: Schema.optional(), example: z.unknown().optional() }),
);

const Response = z.strictObject({
  description: Words,
  headers: z.record(z.string(), orReference(Header)).optional(),
  content: Content.optional(),
});

const Operation = z.strictObject({
  operationId: Words,
  summary: Words,
  description: Words.optional(),
  tags: z.array(Words).length(1),
  deprecated: z.literal(true).optional(),
  security: z.array(z.record(z.string(), z.array(z.string()))).optional(),
  parameters: z.array(orReference(Parameter)),
  requestBody: z.strictObject({ required: z.literal(true), content: Content }).optional(),
  responses: z.record(z.string().regex(/^[1-5]\d\d$/), orReference(Response)),
});

/** A request that the service sends: an answer may be any of a range, or any other. */
const Sent = Operation.omit({ operationId: true, deprecated: true }).extend({
  parameters: z.array(Reference).optional(),
  responses: z.record(z.string().regex(/^([1-5](\d\d|XX)|default)$/), Reference),
});

const PathItem = z.strictObject({
  get: Operation.optional(),
  post: Operation.optional(),
  put: Operation.optional(),
  delete: Operation.optional(),
});

export const OpenApiShape = z.strictObject({
  openapi: z.string().regex(/^3\.1\.\d+$/),
  info: z.strictObject({
    title: Words,
    version: Words,
    description: Words,
    license: z.strictObject({ name: Words, identifier: Words }),
  }),
  servers: z.array(z.strictObject({ url: Words })).min(1),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  tags: z.array(z.strictObject({ name: Words, description: Words })),
  paths: z.record(z.string().startsWith('/'), PathItem),
  webhooks: named(z.strictObject({ post: Sent.optional(), put: Sent.optional() })),
  components: z.strictObject({
    schemas: named(Schema),
    parameters: named(Parameter),
    responses: named(Response),
    headers: named(Header),
    securitySchemes: named(
      z.strictObject({
        type: z.literal('http'),
        scheme: z.enum(['bearer', 'basic']),
        bearerFormat: Words.optional(),
        description: Words,
      }),
    ),
  }),
});
