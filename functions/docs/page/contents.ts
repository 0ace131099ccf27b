/** The contents: the section that is read is marked, and on a narrow screen they unfold. */
import { all } from './element.ts';

export function followReading(): void {
  const linkOf = new Map(
    all<HTMLAnchorElement>('#contents .places a').map(
      (link) => [link.hash.slice(1), link] as const,
    ),
  );
  const sections = [...linkOf.keys()].flatMap((id) => document.getElementById(id) ?? []);
  const mark = () => {
    const line = innerHeight / 4;
    const read = sections.filter((one) => one.getBoundingClientRect().top <= line).at(-1);
    for (const [id, link] of linkOf) markLink(link, id === read?.id);
  };
  let isPlanned = false;
  addEventListener(
    'scroll',
    () => {
      if (isPlanned) return;
      isPlanned = true;
      requestAnimationFrame(() => {
        isPlanned = false;
        mark();
      });
    },
    { passive: true },
  );
  mark();
  document.querySelector('#contents [aria-current=page]')?.scrollIntoView({ block: 'nearest' });
}

function markLink(link: HTMLAnchorElement, isRead: boolean): void {
  if (!isRead) link.removeAttribute('aria-current');
  if (!isRead || link.getAttribute('aria-current') === 'location') return;
  link.setAttribute('aria-current', 'location');
  const contents = link.closest<HTMLElement>('#contents');
  // Only the contents scroll, and never the page.
  const { offsetTop } = link;
  if (
    contents &&
    (offsetTop < contents.scrollTop || offsetTop > contents.scrollTop + contents.clientHeight - 40)
  )
    contents.scrollTop = offsetTop - contents.clientHeight / 3;
}

export function addMenu(): void {
  const button = document.querySelector<HTMLButtonElement>('button.menu');
  const contents = document.getElementById('contents');
  if (!button || !contents) return;
  const show = (isOpen: boolean) => {
    button.setAttribute('aria-expanded', String(isOpen));
    contents.classList.toggle('open', isOpen);
  };
  button.addEventListener('click', () => show(button.getAttribute('aria-expanded') !== 'true'));
  contents.addEventListener('click', ({ target }) => {
    if ((target as HTMLElement).closest('a')) show(false);
  });
  addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') show(false);
  });
}

/** A link to a member within something folded unfolds it. */
export function unfoldTarget(): void {
  const show = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    for (
      let one = target.closest('details');
      one;
      one = one.parentElement?.closest('details') ?? null
    )
      one.open = true;
    target.querySelector<HTMLDetailsElement>(':scope > details')?.setAttribute('open', '');
    target.scrollIntoView();
  };
  addEventListener('hashchange', show);
  if (location.hash) show();
}
