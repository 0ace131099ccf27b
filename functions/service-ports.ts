/** The services of a process, made of its table. The model of the cloud in the tests is made of the same. */
import type { Services } from '../shared/port/action.ts';
import { identities } from '../shared/record/identity.ts';
import { withRecentEffects } from '../shared/store/recent.ts';
import { dynamoDeliveries, dynamoNotes, dynamoReports } from '../shared/store/store.ts';
import type { TablePorts } from './table-ports.ts';

/** The services that need no table. */
export type OtherServices = Omit<
  Services,
  'store' | 'catalog' | 'books' | 'logs' | 'identityOf' | 'deliveries' | 'notes' | 'reports'
>;

export function servicesAt(
  { at, store, recent, catalog, books, logs }: TablePorts,
  others: OtherServices,
): Services {
  const deliveries = dynamoDeliveries(at);
  return {
    ...others,
    ...{ store, catalog, books, logs },
    identityOf: identities(store, others.keyring),
    deliveries: recent ? withRecentEffects(deliveries, recent) : deliveries,
    notes: dynamoNotes(at),
    reports: dynamoReports(at),
  };
}
