/**
 * Emulates EventBridge: accepts events as `PutEvents` does, and passes each to the functions of the rules that match.
 * https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents.html
 */
import { randomUUID } from 'node:crypto';
import { type InvokedWorker, rules } from '../../infra/topology.ts';
import { type Fields, type Service, ServiceError, serve } from './aws-json.ts';
import { account, region } from './instance.ts';
import { fits } from './pattern.ts';

/** Limits of one call: entries, and bytes of all of them. */
const entryCountMax = 10;
const batchBytesMax = 1024 * 1024;

/** Serves a bus; it invokes workers without waiting for them. */
export function serveBus(
  busName: string,
  handOver: (target: InvokedWorker, event: Fields) => void,
): Promise<Service> {
  const put = (entry: Fields): Fields => {
    if (entry['EventBusName'] !== busName)
      return { ErrorCode: 'ResourceNotFoundException', ErrorMessage: 'There is no such bus.' };
    const event = eventOf(entry);
    for (const { pattern, target } of rules) if (fits(pattern, event)) handOver(target, event);
    return { EventId: event['id'] };
  };

  return serve('AWSEvents', {
    PutEvents: (input) => {
      const entries = input['Entries'] as readonly Fields[];
      const bytes = entries.reduce((sum, entry) => sum + bytesOf(entry), 0);
      if (entries.length > entryCountMax || bytes > batchBytesMax)
        throw new ServiceError('ValidationException', 'There is more than one call may bring.');
      const results = entries.map(put);
      const failed = results.filter((result) => 'ErrorCode' in result);
      return { Entries: results, FailedEntryCount: failed.length };
    },
  });
}

function eventOf(entry: Fields): Fields {
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': entry['DetailType'],
    source: entry['Source'],
    account,
    time: new Date().toISOString().replace(/\.\d{3}Z$/, 'Z'),
    region,
    resources: entry['Resources'] ?? [],
    detail: JSON.parse(String(entry['Detail'])) as unknown,
  };
}

function bytesOf(entry: Fields): number {
  const { Source, DetailType, Detail, Resources = [] } = entry;
  const texts = [Source, DetailType, Detail, ...(Resources as readonly unknown[])];
  return texts.reduce((sum: number, text) => sum + Buffer.byteLength(String(text)), 0);
}
