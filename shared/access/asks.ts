/**
 * What endpoints ask of the rules, as they declare it: the question, and the asking itself. An action lets
 * its call through by what it declares, so that neither can say something else. Rulings 30 to 38.
 */
import { isHandleText } from '../ledger/address.ts';
import type { Kind } from '../ledger/kind.ts';
import type { Query } from '../ledger/query.ts';
import type { RecordData, Version } from '../ledger/record.ts';
import type { Asks, Open } from '../port/action.ts';
import type { Finder, Life } from '../record/find.ts';
import { domainOfDraft } from '../record/place.ts';
import type { SignedBody } from '../shape/record.ts';
import {
  allow,
  allowChanging,
  allowCreating,
  allowDropping,
  allowListing,
  changeIn,
  findAlike,
  findParent,
  findReadable,
  findReadableLife,
} from './allow.ts';

type RuleAction = Asks['action'];

/**
 * What may also be asked of a proof: on an intent, one of the rights on its claims, or to decide it; on a bridge, to answer for it.
 * Rulings 51 and 69, Decision 38.
 */
export const furtherRights: Readonly<Partial<Record<Kind, NonNullable<Asks['or']>>>> = {
  intent: [
    ['issue', 'symbol'],
    ['spend', 'wallet'],
    ['destroy', 'symbol'],
    ['limit', 'wallet'],
    ['commit', 'intent'],
    ['abort', 'intent'],
  ],
  bridge: [['activate', 'bridge']],
};

/** Reading a record, or what belongs to it. */
export function toRead(kind: Kind, find: Finder): Asks<Version> {
  return {
    ...{ action: 'read', record: kind, find },
    allow: (call) => findReadable(call, kind, find),
  };
}

/** Reading what became of a record, also after its end. */
export function toReadLife(kind: Kind, find: Finder): Asks<Life> {
  return {
    ...{ action: 'read', record: kind, find },
    allow: (call) => findReadableLife(call, kind, find),
  };
}

/**
 * Listing records: which of them are shown is asked row by row. A list of one domain is also let through by
 * what stands there. Hands on whose they are, when they belong to others. Ruling 22, Decision 48.
 */
export function toList(kind: Kind): Asks<string | undefined> {
  const or = [['read', kind]] as const;
  return {
    ...{ action: 'query', record: kind, or },
    allow: async (call) => {
      await allowListing(call, { action: 'query', kind, or, ...domainIn(call.query) });
      return findParent(call, kind);
    },
  };
}

/** Looking records up that have to do with another one, which must be readable itself. Ruling 64. */
export function toLookUp(kind: Kind, other: Asks<Version>): Asks<Version> {
  const or = [['read', kind]] as const;
  return {
    ...{ action: 'lookup', record: kind, or },
    allow: async (call) => {
      await allow(call, { action: 'lookup', kind, or, ...domainIn(call.query) });
      return other.allow(call);
    },
  };
}

/** The one domain that a query names, if it names one. */
function domainIn(query: Query): { domain?: string } {
  const named = [...(query['meta.domain'] ?? []), ...(query['meta.domain.$eq'] ?? [])];
  const [domain = '', ...more] = named;
  return isHandleText(domain) && more.length === 0 ? { domain } : {};
}

/** Making a record. A link is also an assignment by its circle's rules. Rulings 33 and 38. */
export function toCreate(kind: Kind): Asks<void> {
  return {
    ...{ action: 'create', record: kind },
    ...(kind === 'circle-signer' && { or: [['assign-signer', 'circle']] as const }),
    allow: async (call) => {
      const { data: said, meta } = call.body as SignedBody;
      const data = said as RecordData;
      const domain = await domainOfDraft(call, kind, { data, proofs: meta.proofs });
      return allowCreating(call, kind, { data, domain });
    },
  };
}

/** Putting new data in place of a record's. Ruling 34. */
export function toUpdate(kind: Kind, find: Finder): Asks<Version> {
  return {
    ...{ action: 'update', record: kind, find },
    allow: async (call) => {
      const previous = await findAlike(call, { action: 'update', kind }, find);
      const { record } = previous;
      const change = changeIn(record.data, (call.body as SignedBody).data as RecordData);
      await allowChanging(call, { action: 'update', kind, record, change });
      return previous;
    },
  };
}

/** Ending a record. A link may also be removed by its circle's rules. Ruling 33. */
export function toDrop(kind: Kind, find: Finder): Asks<Version> {
  const or = kind === 'circle-signer' && { or: [['remove-signer', 'circle']] as const };
  const wanted = { action: 'drop', kind, ...or } as const;
  return {
    ...{ action: 'drop', record: kind, find },
    ...or,
    allow: async (call) => {
      const previous = await findAlike(call, wanted, find);
      await allowDropping(call, wanted, previous.record);
      return previous;
    },
  };
}

/** Doing something else to a record, which does not change its data. */
export function toDo(action: RuleAction, kind: Kind, find: Finder): Asks<Version> {
  return {
    ...{ action, record: kind, find },
    allow: async (call) => {
      const previous = await findAlike(call, { action, kind }, find);
      await allowChanging(call, { action, kind, record: previous.record });
      return previous;
    },
  };
}

/** Asking nothing, for a reason. */
export function open(why: string): Open {
  return { open: why };
}
