/** Permissions that endpoints declare, each together with its check. Rulings 30 to 38. */
import { isHandleText } from '../ledger/address.ts';
import type { Kind } from '../ledger/kind.ts';
import type { Query } from '../ledger/query.ts';
import type { RecordData, Version } from '../ledger/record.ts';
import type { OpenToAll, RequiredPermission } from '../port/action.ts';
import type { Finder, RecordHead } from '../record/find.ts';
import { domainOfDraft } from '../record/place.ts';
import type { SignedBody } from '../shape/record.ts';
import {
  allow,
  allowChanging,
  allowCreating,
  allowDropping,
  allowListing,
  changeIn,
  findOrHide,
  findParent,
  findReadable,
  findReadableHead,
} from './allow.ts';

type RuleAction = RequiredPermission['action'];

/**
 * Further permissions that allow a proof: for an intent a right on one of its claims, or to decide it; for a bridge to
 * vouch for it. Rulings 51 and 69, Decision 38.
 */
export const furtherRights: Readonly<Partial<Record<Kind, NonNullable<RequiredPermission['or']>>>> =
  {
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

/** Permission to read a record and what belongs to it. */
export function toRead(kind: Kind, find: Finder): RequiredPermission<Version> {
  return {
    ...{ action: 'read', record: kind, find },
    allow: (call) => findReadable(call, kind, find),
  };
}

/** Permission to read a record, also after its end. */
export function toReadHistory(kind: Kind, find: Finder): RequiredPermission<RecordHead> {
  return {
    ...{ action: 'read', record: kind, find },
    allow: (call) => findReadableHead(call, kind, find),
  };
}

/**
 * Permission to list records; each row needs permission to read. A list of one domain may also be granted by rules of
 * that domain. Returns the handle of the parent for records that belong to others. Ruling 22, Decision 48.
 */
export function toList(kind: Kind): RequiredPermission<string | undefined> {
  const or = [['read', kind]] as const;
  return {
    ...{ action: 'query', record: kind, or },
    allow: async (call) => {
      await allowListing(call, { action: 'query', kind, or, ...domainIn(call.query) });
      return findParent(call, kind);
    },
  };
}

/**
 * Permission to read all records of a kind, or all in the one domain that the query filters by: a sum over records
 * would otherwise tell of those that the caller may not read. Ruling 85.
 */
export function toReadAll(kind: Kind): RequiredPermission<void> {
  return {
    ...{ action: 'read', record: kind },
    allow: (call) => allow(call, { action: 'read', kind, extent: 'all', ...domainIn(call.query) }),
  };
}

/** Permission to look up records that refer to another one, which must be readable itself. Ruling 64. */
export function toLookUp(
  kind: Kind,
  other: RequiredPermission<Version>,
): RequiredPermission<Version> {
  const or = [['read', kind]] as const;
  return {
    ...{ action: 'lookup', record: kind, or },
    allow: async (call) => {
      await allow(call, { action: 'lookup', kind, or, ...domainIn(call.query) });
      return other.allow(call);
    },
  };
}

/** The domain that a query filters by, if it is exactly one. */
function domainIn(query: Query): { domain?: string } {
  const named = [...(query['meta.domain'] ?? []), ...(query['meta.domain.$eq'] ?? [])];
  const [domain = '', ...more] = named;
  return isHandleText(domain) && more.length === 0 ? { domain } : {};
}

/** Permission to create a record. To assign signers to a circle allows to create its links. Rulings 33 and 38. */
export function toCreate(kind: Kind): RequiredPermission<void> {
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

/** Permission to update a record. Ruling 34. */
export function toUpdate(kind: Kind, find: Finder): RequiredPermission<Version> {
  return {
    ...{ action: 'update', record: kind, find },
    allow: async (call) => {
      const previous = await findOrHide(call, { action: 'update', kind }, find);
      const { record } = previous;
      const change = changeIn(record.data, (call.body as SignedBody).data as RecordData);
      await allowChanging(call, { action: 'update', kind, record, change });
      return previous;
    },
  };
}

/** Permission to drop a record. For a link, permission to remove signers from its circle is enough. Ruling 33. */
export function toDrop(kind: Kind, find: Finder): RequiredPermission<Version> {
  const or = kind === 'circle-signer' && { or: [['remove-signer', 'circle']] as const };
  const wanted = { action: 'drop', kind, ...or } as const;
  return {
    ...{ action: 'drop', record: kind, find },
    ...or,
    allow: async (call) => {
      const previous = await findOrHide(call, wanted, find);
      await allowDropping(call, wanted, previous.record);
      return previous;
    },
  };
}

/** Permission for any other action on a record, which leaves its data unchanged. */
export function toDo(action: RuleAction, kind: Kind, find: Finder): RequiredPermission<Version> {
  return {
    ...{ action, record: kind, find },
    allow: async (call) => {
      const previous = await findOrHide(call, { action, kind }, find);
      await allowChanging(call, { action, kind, record: previous.record });
      return previous;
    },
  };
}

/** Declares that no permission is required, with the reason. */
export function open(why: string): OpenToAll {
  return { open: why };
}
