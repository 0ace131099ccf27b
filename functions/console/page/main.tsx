/** The console: signing in, and then one screen for each place. */
import { render } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { usePlace } from './route.ts';
import { screenAt } from './screens.tsx';
import { type LedgerSession, SessionContext } from './session.ts';
import { Shell } from './shell.tsx';
import { SignIn } from './sign-in.tsx';

function Console() {
  const [session, setSession] = useState<LedgerSession>();
  return session ? (
    <SessionContext.Provider value={session}>
      <Screens leave={() => setSession(undefined)} />
    </SessionContext.Provider>
  ) : (
    <SignIn begin={setSession} />
  );
}

function Screens({ leave }: { readonly leave: () => void }) {
  const place = usePlace();
  const name = place.path.join('/');
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  useLayoutEffect(() => {
    if (!isFirst.current) main.current?.querySelector<HTMLElement>('h1')?.focus();
    isFirst.current = false;
    scrollTo(0, 0);
  }, [name]);
  return (
    <Shell place={place} leave={leave}>
      <main id="main" ref={main} key={name}>
        {screenAt(place)}
      </main>
    </Shell>
  );
}

const root = document.getElementById('app');
if (root) render(<Console />, root);
