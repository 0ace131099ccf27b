/** What an effect's data may look like: which signal, under which conditions, told to whom. Ruling 59. */
import * as z from 'zod/mini';
import { AddressHandle, commonData, createBodyOf } from './record.ts';
import { subjects } from './subject.ts';

const happenings = ['created', 'updated', 'proofs-added', 'dropped'] as const;

/** The signals of entries at bridges, which are no records of their own. Ruling 78. */
export const entrySignals = [
  'bridge-entry-created',
  'bridge-entry-updated',
  'bridge-entry-proofs-added',
] as const;

/** Every signal there is. */
export const signalNames: readonly string[] = [
  ...subjects.flatMap((subject) => happenings.map((happening) => `${subject}-${happening}`)),
  ...entrySignals,
  'balance-received',
  'wallet-limited',
];

const Webhook = z.strictObject({
  schema: z.literal('webhook'),
  /** Where events are posted. */
  endpoint: z.string().check(z.minLength(1), z.maxLength(2048)),
});

const ToBridge = z.strictObject({ schema: z.literal('bridge'), bridge: AddressHandle });

export const EffectData = z.strictObject({
  handle: AddressHandle,
  signal: z.literal(signalNames),
  /** Conditions on dot paths of the event; without one, every event of the signal is told. */
  filter: z.exactOptional(z.record(z.string(), z.unknown())),
  action: z.discriminatedUnion('schema', [Webhook, ToBridge]),
  ...commonData,
});
export type EffectData = z.infer<typeof EffectData>;

/** A signed body that asks for something to be done; what it says beside that is ignored. */
export const RequestBody = createBodyOf(z.looseObject({}));

/** Which deliveries to send again: one, or all of the last minutes (0: all there are). Ruling 60. */
export const RetryBody = createBodyOf(
  z.strictObject({
    handle: z.exactOptional(z.string().check(z.minLength(1), z.maxLength(64))),
    maxAge: z.exactOptional(z.int().check(z.minimum(0), z.maximum(2880))),
  }),
);
