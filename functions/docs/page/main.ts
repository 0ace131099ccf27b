/** The script of every page. A page can be read without it. */
import { addMenu, followReading, unfoldTarget } from './contents.ts';
import { addCopyButtons } from './copy.ts';
import { all, element } from './element.ts';
import { addSearch } from './search.ts';
import { addTabs } from './tabs.ts';
import type { openTry } from './try.ts';

addTabs();
addCopyButtons();
addMenu();
addSearch();
followReading();
unfoldTarget();
for (const place of all<HTMLElement>('.try')) addTry(place);

/** A button that loads what signs and sends. */
function addTry(place: HTMLElement): void {
  const button = element(
    'button',
    { type: 'button', class: 'primary', 'aria-expanded': 'false' },
    'Try it',
  );
  button.addEventListener('click', async () => {
    button.disabled = true;
    const address = new URL(document.body.dataset['trying'] ?? '', location.href).href;
    const module = (await import(address)) as { openTry: typeof openTry };
    button.remove();
    module.openTry(place);
  });
  place.append(button);
}
