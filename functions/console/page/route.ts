/** Places within the page, as the fragment of its address: `#/wallets/alice?symbol=usd`. */
import { useEffect, useState } from 'preact/hooks';

export interface PagePlace {
  /** The parts of the path, decoded: `['wallets', 'alice']`. */
  readonly path: readonly string[];
  readonly query: Readonly<Record<string, string>>;
}

/** The address of a place; parts that are empty in the query are left out. */
export function addressOf(path: readonly string[], query: PagePlace['query'] = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== '');
  const search = new URLSearchParams(given).toString();
  return `#/${path.map(encodeURIComponent).join('/')}${search === '' ? '' : `?${search}`}`;
}

function placeIn(fragment: string): PagePlace {
  const [path = '', search = ''] = fragment.replace(/^#\/?/, '').split('?');
  const parts = path.split('/').filter((part) => part !== '');
  return { path: parts.map(decoded), query: Object.fromEntries(new URLSearchParams(search)) };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function goTo(path: readonly string[], query: PagePlace['query'] = {}): void {
  location.hash = addressOf(path, query);
}

/** The place of the address bar, also when it changes. */
export function usePlace(): PagePlace {
  const [fragment, setFragment] = useState(location.hash);
  useEffect(() => {
    const follow = () => setFragment(location.hash);
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return placeIn(fragment);
}
