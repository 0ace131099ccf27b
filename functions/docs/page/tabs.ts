/** The languages of samples: one is chosen for all samples of all pages. */
import { all } from './element.ts';

const storeName = 'countersign.docs.language';

export function addTabs(): void {
  const lists = all('[role=tablist]');
  for (const list of lists) {
    list.addEventListener('click', ({ target }) => chooseTab(target as HTMLElement));
    list.addEventListener('keydown', (event) => moveTab(list, event));
  }
  const known = remembered();
  if (known && known !== 'curl') choose(known);
}

function chooseTab(target: HTMLElement): void {
  const { language } = target.dataset;
  if (!language) return;
  // The samples above may get another height: the one that was chosen stays where it is.
  const before = target.getBoundingClientRect().top;
  choose(language);
  scrollBy({ top: target.getBoundingClientRect().top - before, behavior: 'instant' });
  remember(language);
}

function moveTab(list: HTMLElement, event: KeyboardEvent): void {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  const tabs = all<HTMLElement>('[role=tab]', list);
  const at = tabs.indexOf(document.activeElement as HTMLElement);
  const next = tabs[(at + step + tabs.length) % tabs.length];
  event.preventDefault();
  next?.focus();
  next?.click();
}

function choose(language: string): void {
  for (const tab of all<HTMLElement>('[role=tab][data-language]')) {
    const isChosen = tab.dataset['language'] === language;
    tab.setAttribute('aria-selected', String(isChosen));
    tab.tabIndex = isChosen ? 0 : -1;
  }
  for (const panel of all<HTMLElement>('[role=tabpanel][data-language]'))
    panel.hidden = panel.dataset['language'] !== language;
}

/** A browser may keep nothing for a page. */
function remembered(): string | null {
  try {
    return localStorage.getItem(storeName);
  } catch {
    return null;
  }
}

function remember(language: string): void {
  try {
    localStorage.setItem(storeName, language);
  } catch {
    // It is chosen for this page alone.
  }
}
