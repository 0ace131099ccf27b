/** The screens by place. */
import type { ComponentChildren } from 'preact';
import { AccessScreen } from './access.tsx';
import { ApprovalsScreen } from './approvals.tsx';
import { BridgeScreen, BridgesScreen } from './bridges.tsx';
import { CircleScreen, CirclesScreen } from './circles.tsx';
import { DeliveriesScreen } from './deliveries.tsx';
import { HealthScreen } from './health.tsx';
import { IntentScreen } from './intent.tsx';
import { IntentsScreen } from './intents.tsx';
import { Head, To } from './parts.tsx';
import { PoliciesScreen, PolicyScreen } from './policies.tsx';
import { RecordScreen } from './record.tsx';
import type { PagePlace } from './route.ts';
import { SearchScreen } from './search.tsx';
import { WalletScreen } from './wallet.tsx';
import { WalletsScreen } from './wallets.tsx';

interface Section {
  /** The first part of its place. */
  readonly name: string;
  readonly title: string;
  readonly list: (place: PagePlace) => ComponentChildren;
  /** The screen of one record. */
  readonly one?: (handle: string, place: PagePlace) => ComponentChildren;
}

export const sections: readonly Section[] = [
  {
    name: 'wallets',
    title: 'Wallets',
    list: (place) => <WalletsScreen place={place} />,
    one: (handle, place) => <WalletScreen handle={handle} place={place} />,
  },
  {
    name: 'intents',
    title: 'Intents',
    list: (place) => <IntentsScreen place={place} />,
    one: (handle) => <IntentScreen handle={handle} />,
  },
  { name: 'approvals', title: 'Approvals', list: () => <ApprovalsScreen /> },
  {
    name: 'bridges',
    title: 'Bridges',
    list: () => <BridgesScreen />,
    one: (handle) => <BridgeScreen handle={handle} />,
  },
  {
    name: 'deliveries',
    title: 'Deliveries',
    list: (place) => <DeliveriesScreen place={place} />,
  },
  {
    name: 'policies',
    title: 'Policies',
    list: () => <PoliciesScreen />,
    one: (handle) => <PolicyScreen handle={handle} />,
  },
  {
    name: 'circles',
    title: 'Circles',
    list: () => <CirclesScreen />,
    one: (handle) => <CircleScreen handle={handle} />,
  },
  { name: 'access', title: 'Access', list: () => <AccessScreen /> },
  { name: 'health', title: 'Health', list: () => <HealthScreen /> },
];

export function screenAt(place: PagePlace): ComponentChildren {
  const [name = 'wallets', handle] = place.path;
  const section = sections.find((one) => one.name === name);
  if (handle === undefined && section) return section.list(place);
  if (handle !== undefined && section?.one) return section.one(handle, place);
  if (name === 'search' && handle !== undefined) return <SearchScreen text={handle} />;
  const [, , id] = place.path;
  if (name === 'records' && handle !== undefined && id !== undefined)
    return <RecordScreen group={handle} id={id} />;
  return (
    <>
      <Head title="No such screen" />
      <p>
        <To path={['wallets']}>To the wallets</To>
      </p>
    </>
  );
}
