/** The surroundings of each screen: the way to the others, the search, the ledger, and the key that signs. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { addressOf, goTo, type PagePlace } from './route.ts';
import { sections } from './screens.tsx';
import { useSession } from './session.ts';
import { lineOf, shortOf } from './text.ts';

export function Shell({
  place,
  leave,
  children,
}: {
  readonly place: PagePlace;
  readonly leave: () => void;
  readonly children: ComponentChildren;
}) {
  const session = useSession();
  const [current = 'wallets'] = place.path;
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    const link = nav.current?.querySelector('[aria-current]');
    link?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [current]);
  return (
    <div class="shell">
      <button type="button" class="skip" onClick={skip}>
        Skip to the content
      </button>
      <header class="top">
        <p class="brand">Countersign</p>
        <Search place={place} />
        <div class="who">
          <span title={session.key}>
            <span class="quiet">ledger</span> <strong>{lineOf(session.handle)}</strong>
          </span>
          <span title={session.own ?? ''}>
            <span class="quiet">key</span>{' '}
            <code>{session.own === undefined ? 'none' : shortOf(session.own)}</code>
          </span>
          <button type="button" class="secondary small" onClick={leave}>
            Sign out
          </button>
        </div>
      </header>
      <nav aria-label="Screens" ref={nav}>
        <ul>
          {sections.map(({ name, title }) => (
            <li key={name}>
              <a href={addressOf([name])} {...(name === current && { 'aria-current': 'page' })}>
                {title}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {children}
    </div>
  );
}

function skip(): void {
  document.querySelector<HTMLElement>('main h1')?.focus();
}

/** The search; `/` leads to it from everywhere but another field. */
function Search({ place }: { readonly place: PagePlace }) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const follow = (event: KeyboardEvent) => {
      const isTyping =
        event.target instanceof Element && event.target.closest('input, select, textarea');
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      field.current?.focus();
      field.current?.select();
    };
    addEventListener('keydown', follow);
    return () => removeEventListener('keydown', follow);
  }, []);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const text = field.current?.value.trim() ?? '';
    if (text !== '') goTo(['search', text]);
  };
  const [screen, text = ''] = place.path;
  return (
    <search>
      <form onSubmit={submit}>
        <input
          ref={field}
          type="search"
          name="search"
          aria-label="Search by handle, luid or hash"
          aria-keyshortcuts="/"
          placeholder="Handle, luid or hash   /"
          defaultValue={screen === 'search' ? text : ''}
          autocomplete="off"
          spellcheck={false}
        />
      </form>
    </search>
  );
}
