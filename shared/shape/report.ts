/** The shape of a report, and of the proof that adds its assets. Ruling 67. */
import * as z from 'zod/mini';
import { reachable } from './handle.ts';
import { Custom, SentProof } from './proof.ts';
import { AddressHandle, commonData } from './record.ts';

const assetCountMax = 20;
const handleLengthMax = 128;
/** The lines of a letterhead, and the characters of each. */
export const letterheadCountMax = 6;
export const letterheadLengthMax = 80;

const moment = {
  type: 'string',
  format: 'date-time',
  pattern: 'Z$',
};

const interval = {
  start_timestamp: { ...moment, description: 'The first moment of the interval.' },
  end_timestamp: {
    ...moment,
    description: 'The first moment after it; at most 366 days later.',
  },
};

/** The members of `custom` of a report that the ledger produces. */
function produced(schema: string, properties: object, required: readonly string[]): object {
  return {
    if: { properties: { schema: { const: schema } }, required: ['schema'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    then: {
      properties: { custom: { properties, required } },
      required: ['custom'],
    },
  };
}

/** The reports that the ledger produces. The shape documents them; the action that creates one checks it. Decision 25. */
const reports = {
  allOf: [
    produced('trans_details_rep', interval, ['start_timestamp', 'end_timestamp']),
    produced(
      'wallet_statement_rep',
      {
        wallet: { type: 'string', description: 'The handle of the wallet.' },
        symbol: { type: 'string', description: 'The handle of the symbol.' },
        ...interval,
        letterhead: {
          type: 'array',
          items: { type: 'string', maxLength: letterheadLengthMax },
          maxItems: letterheadCountMax,
          description: 'The name and address of the sender, for the PDF: a line each.',
        },
      },
      ['wallet', 'symbol', 'start_timestamp', 'end_timestamp'],
    ),
  ],
};

export const ReportData = z
  .strictObject({
    handle: AddressHandle,
    ...commonData,
  })
  .check(z.meta(reports));
export type ReportData = z.infer<typeof ReportData>;

/** One result of a report: a text, or any JSON. Decision 24. */
const Asset = z.strictObject({
  handle: z
    .string()
    .check(z.maxLength(handleLengthMax), z.regex(/^[a-zA-Z0-9_\-+.]+$/), ...reachable),
  output: z.union([z.string(), Custom, z.array(z.unknown())]),
});
export type Asset = z.infer<typeof Asset>;

const Assets = z.array(Asset).check(
  z.maxLength(assetCountMax),
  z.refine((assets) => new Set(assets.map(({ handle }) => handle)).size === assets.length, {
    params: { uniqueItems: 'handle' },
    message: 'must NOT name an asset twice',
  }),
);

/** A proof of a report, as a client sends it. */
export const ReportProof = z.extend(SentProof, {
  custom: z.exactOptional(z.looseObject({ assets: z.exactOptional(Assets) })),
});
