/** The shape of an effect: the signal, the conditions on its events, and the target. Ruling 59. */
import * as z from 'zod/mini';
import { AddressHandle, commonData, createBodyOf } from './record.ts';
import { monitorSignal, signalNames } from './signal-name.ts';

/** The balance that a monitor watches, and the threshold in the smallest unit of the symbol. Ruling 95. */
export const BalanceWatch = z.strictObject({
  wallet: AddressHandle,
  symbol: AddressHandle,
  threshold: z.int(),
  /** The side to be told of; both when absent. */
  direction: z.exactOptional(z.enum(['below', 'above'])),
});
export type BalanceWatch = z.infer<typeof BalanceWatch>;

const Webhook = z.strictObject({
  schema: z.literal('webhook'),
  /** The URL that events are posted to. */
  endpoint: z.string().check(z.minLength(1), z.maxLength(2048)),
});

const ToBridge = z.strictObject({ schema: z.literal('bridge'), bridge: AddressHandle });

/** Says that monitors alone have a balance. The shape documents it; the rules of effects check it. Ruling 95. */
const monitors = {
  allOf: [
    {
      if: { properties: { signal: { const: monitorSignal } }, required: ['signal'] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
      then: {
        properties: { balance: { type: 'object', description: 'The balance that is watched.' } },
        required: ['balance'],
      },
      else: { not: { required: ['balance'] } },
    },
  ],
};

export const EffectData = z
  .strictObject({
    handle: AddressHandle,
    signal: z.literal(signalNames),
    /** Conditions on dotted paths of the event; without them, every event of the signal is sent. */
    filter: z.exactOptional(z.record(z.string(), z.unknown())),
    /** Required by the signal `balance-crossed`, and refused with others. */
    balance: z.exactOptional(BalanceWatch),
    action: z.discriminatedUnion('schema', [Webhook, ToBridge]),
    ...commonData,
  })
  .check(z.meta(monitors));
export type EffectData = z.infer<typeof EffectData>;

/** A signed body that requests an action; the members of its data are ignored. */
export const RequestBody = createBodyOf(z.looseObject({}));

/**
 * The deliveries to send again: one by its handle, or all of the last `maxAge` minutes (0 for all). Both at a time are
 * refused: one delivery is sent again whatever its age. Ruling 60.
 */
export const RetryBody = createBodyOf(
  z
    .strictObject({
      handle: z.exactOptional(z.string().check(z.minLength(1), z.maxLength(64))),
      maxAge: z.exactOptional(z.int().check(z.minimum(0), z.maximum(2880))),
    })
    .check(
      z.refine(({ handle, maxAge }) => handle === undefined || maxAge === undefined, {
        message: 'must NOT have handle and maxAge, only one of them',
      }),
    ),
);
