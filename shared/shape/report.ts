/** What a report's data may look like, and the proof that brings its assets. Ruling 67. */
import * as z from 'zod/mini';
import { Custom, SentProof } from './proof.ts';
import { AddressHandle, commonData } from './record.ts';

const assetCountMax = 20;
const handleLengthMax = 128;

export const ReportData = z.strictObject({
  handle: AddressHandle,
  ...commonData,
});
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
