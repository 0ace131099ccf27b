/**
 * Judges data by JSON Schemas that callers wrote, in the drafts 7 and 2020-12. It fetches nothing, its patterns cannot
 * backtrack, and the work has a budget. Ruling 65, Decision 27.
 */
import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { UriResolver } from 'ajv/dist/types/index.js';
import { cached } from '../crypto/cache.ts';
import { canonicalOf } from '../crypto/canonical.ts';
import { cut } from '../ledger/cut.ts';
import type { LedgerError } from '../ledger/errors.ts';
import type { SchemaJudge, SchemaMaker } from '../ledger/schema.ts';
import { messageOf } from '../ledger/thrown.ts';
import { type ShapeViolation, schemaInvalid } from '../ledger/violation.ts';
import { fillBudget, hasUniqueItems, payForSubschema, tooMuchWork } from './budget.ts';
import { formats } from './format.ts';
import { draft7, draft2020, type JsonSchema, type SchemaDialect } from './keyword.ts';
import { multipleOf } from './multiple.ts';
import { costedPattern } from './pattern.ts';
import { costKeyword, walk } from './walk.ts';

/** The longest schema as canonical JSON. Every version stores it whole, so it must not fill a history. */
const textLengthMax = 65_536;
const compiledCountMax = 128;

/** The path of the JSON Schema in the body. */
const place = '/data/schema';

/**
 * Resolves references for ajv. Schemas of callers refer to themselves, and the schemas that judge schemas to each
 * other, by plain URLs. No other part of RFC 3986 5.2 is needed.
 */
const resolver: UriResolver = {
  parse: (reference) => {
    const [path = '', ...rest] = reference.split('#');
    return rest.length > 0 ? { path, fragment: rest.join('#') } : { path };
  },
  serialize: ({ path = '', fragment }) => (fragment === undefined ? path : `${path}#${fragment}`),
  resolve: (base, reference) => {
    const [from = ''] = base.split('#');
    if (reference === '' || reference.startsWith('#')) return `${from}${reference}`;
    return from === '' ? reference : new URL(reference, from).href;
  },
};

const options: Options = {
  allErrors: true,
  // Unknown keywords are found by `walk`; an unknown format is an annotation. Ruling 79.
  strictSchema: false,
  strictTypes: false,
  strictTuples: false,
  strictRequired: false,
  validateFormats: true,
  formats,
  logger: false,
  // `required: ["toString"]` requires an own member of the data.
  ownProperties: true,
  // Inlined references could make a schema grow exponentially.
  inlineRefs: false,
  code: { regExp: costedPattern },
  uriResolver: resolver,
};

/** By the names of the drafts. The first is the default. */
const drafts = { [draft7]: Ajv, [draft2020]: Ajv2020 } as const;
const draftNames = Object.keys(drafts) as [SchemaDialect, SchemaDialect];

/** The ajv that checks schemas themselves. It is made on first use, since most processes never need it. */
const metaOf = cached(draftNames.length, (draft: SchemaDialect) =>
  extended(new drafts[draft](options)),
);

const compiled = cached(compiledCountMax, compile);

/** Compiles a JSON Schema. Throws `record.schema-invalid` for a value that is none. */
export const schemaMaker: SchemaMaker = (schema) => compiled(canonicalOf(schema));

function compile(text: string): SchemaJudge {
  if (text.length > textLengthMax)
    throw refused('maxLength', `must NOT have more than ${textLengthMax} characters as JSON`, {
      limit: textLengthMax,
    });
  const schema = JSON.parse(text) as JsonSchema;
  const draft = draftOf(schema['$schema']);
  const meta = metaOf(draft);
  // The limited length of a schema bounds the work of checking it.
  fillBudget(Number.POSITIVE_INFINITY);
  if (!meta.validateSchema(schema)) throw schemaInvalid(violationsOf(meta.errors, place));
  const { costed, violations } = walk(schema, draft);
  if (violations.length > 0)
    throw schemaInvalid(
      violations.map((one) => ({ ...one, instancePath: `${place}${one.instancePath}` })),
    );
  const validate = applicable(draft, costed);
  return (data) => {
    fillBudget();
    try {
      return validate(data) ? [] : violationsOf(validate.errors, '/data');
    } catch (error) {
      // Subschemas that refer to each other may exceed the stack.
      throw error instanceof RangeError ? tooMuchWork() : error;
    }
  };
}

/** Compiles with a new ajv. A shared one would keep every schema, and let schemas refer to each other. */
function applicable(draft: SchemaDialect, schema: JsonSchema): ValidateFunction {
  const alone = { ...options, meta: false, validateSchema: false } as const;
  try {
    return extended(new drafts[draft](alone)).compile(schema);
  } catch (error) {
    const why = cut(messageOf(error));
    throw refused('format', `must be a JSON Schema that can be applied: ${why}`);
  }
}

function draftOf(named: unknown = draftNames[0]): SchemaDialect {
  const draft = draftNames.find((name) => name === String(named).replace(/#$/, ''));
  if (draft !== undefined) return draft;
  const message = 'must be equal to one of the allowed values';
  throw refused('enum', message, { allowedValues: draftNames }, '/$schema');
}

function extended(ajv: Ajv): Ajv {
  return ajv
    .addKeyword({
      keyword: costKeyword,
      schemaType: 'number',
      errors: false,
      validate: payForSubschema,
    })
    .removeKeyword('uniqueItems')
    .addKeyword({
      keyword: 'uniqueItems',
      type: 'array',
      schemaType: 'boolean',
      validate: hasUniqueItems,
      error: { message: 'must NOT have duplicate items' },
    })
    .removeKeyword('multipleOf')
    .addKeyword(multipleOf);
}

function refused(
  keyword: string,
  message: string,
  params: ShapeViolation['params'] = {},
  path = '',
): LedgerError {
  const instancePath = `${place}${path}`;
  return schemaInvalid([
    {
      instancePath,
      schemaPath: `#/properties/data/properties/schema/${keyword}`,
      keyword,
      params,
      message,
    },
  ]);
}

function violationsOf(
  errors: readonly ErrorObject[] | null | undefined,
  place: string,
): ShapeViolation[] {
  return (errors ?? []).map(({ instancePath, schemaPath, keyword, params, message = '' }) => ({
    instancePath: `${place}${instancePath}`,
    schemaPath,
    keyword,
    params,
    message,
  }));
}
