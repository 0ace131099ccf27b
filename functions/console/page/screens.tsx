/** The screens by place. */
import type { ComponentChildren } from 'preact';
import { IntentScreen } from './intent.tsx';
import { IntentsScreen } from './intents.tsx';
import { Head, To } from './parts.tsx';
import type { PagePlace } from './route.ts';
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
];

export function screenAt(place: PagePlace): ComponentChildren {
  const [name = 'wallets', handle] = place.path;
  const section = sections.find((one) => one.name === name);
  if (handle === undefined && section) return section.list(place);
  if (handle !== undefined && section?.one) return section.one(handle, place);
  return (
    <>
      <Head title="No such screen" />
      <p>
        <To path={['wallets']}>To the wallets</To>
      </p>
    </>
  );
}
