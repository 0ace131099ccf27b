/** The shape of a report, and of the proof that adds its assets. Ruling 67. */
import * as z from 'zod/mini';
import { Custom, SentProof } from './proof.ts';
import { AddressHandle, commonData } from './record.ts';

const assetCountMax = 20;
const handleLengthMax = 128;

const moment = {
  type: 'string',
  format: 'date-time',
  pattern: 'Z$',
};

/** The interval of a produced report. The shape documents it; the action that creates it checks it. Decision 25. */
const produced = {
  if: { properties: { schema: { const: 'trans_details_rep' } }, required: ['schema'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
  then: {
    properties: {
      custom: {
        properties: {
          start_timestamp: { ...moment, description: 'The first moment of the interval.' },
          end_timestamp: {
            ...moment,
            description: 'The first moment after it; at most 366 days later.',
          },
        },
        required: ['start_timestamp', 'end_timestamp'],
      },
    },
    required: ['custom'],
  },
};

export const ReportData = z
  .strictObject({
    handle: AddressHandle,
    ...commonData,
  })
  .check(z.meta(produced));
export type ReportData = z.infer<typeof ReportData>;

/** One result of a report: a text, or any JSON. Decision 24. */
const Asset = z.strictObject({
  handle: z.string().check(z.maxLength(handleLengthMax), z.regex(/^[a-zA-Z0-9_\-+.]+$/)),
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
