/** Deliveries in a list: what was sent of which record, how it stands, and what the target said last. */
import type { AnyRecord } from './connection.ts';

type ShownMembers = Readonly<Record<string, unknown>>;

/** The record with the members that a list shows: those of a delivery are few, and its event is long. */
export function listed(record: AnyRecord): AnyRecord {
  const { handle, linked, record: sent } = record.data;
  const event = membersOf(membersOf(sent)['data']);
  if (typeof linked !== 'string' || !('handle' in event)) return record;
  const { output, proofs } = record.meta;
  const data = {
    handle,
    signal: event['signal'] ?? event['action'],
    subject: subjectOf(event, linked),
    'last answer': answerOf(membersOf(output)),
    attempts: Array.isArray(proofs) ? proofs.length : 0,
  };
  return { ...record, data };
}

/** The handle of the record that the event is about, where the event carries it; its luid otherwise. */
function subjectOf(event: ShownMembers, linked: string): unknown {
  const carried = Object.values(event).map(membersOf);
  const subject = carried.find(({ luid }) => luid === linked);
  return membersOf(subject?.['data'])['handle'] ?? linked;
}

function answerOf({ reason, detail }: ShownMembers): string {
  const said = membersOf(detail)['httpStatus'] ?? detail;
  return [said, reason].filter((part) => part !== undefined).join(' ');
}

/** The members of an object; none of anything else. */
function membersOf(value: unknown): ShownMembers {
  return typeof value === 'object' && value !== null ? (value as ShownMembers) : {};
}
