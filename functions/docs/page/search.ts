/** The search: its index is loaded when it is first opened. */
import MiniSearch from 'minisearch';
import { searchOptions } from '../../../shared/reference/search-options.ts';
import { all, element } from './element.ts';

interface Hit {
  readonly title: string;
  readonly href: string;
  readonly type: string;
  readonly text: string;
}

const hitsMax = 30;
let loading: Promise<MiniSearch> | undefined;

function index(): Promise<MiniSearch> {
  loading ??= fetch(document.body.dataset['search'] ?? '')
    .then((answer) => answer.text())
    .then((text) => MiniSearch.loadJSON(text, searchOptions));
  return loading;
}

export function addSearch(): void {
  const dialog = document.querySelector<HTMLDialogElement>('dialog.search');
  const input = dialog?.querySelector('input');
  const button = document.querySelector('button.find');
  if (!dialog || !input || !button) return;
  const open = () => {
    if (!dialog.open) dialog.showModal();
    input.select();
    index().then(
      () => void find(input),
      () => say('The index could not be loaded.'),
    );
  };
  button.addEventListener('click', open);
  addEventListener('keydown', (event) => {
    if (isShortcut(event)) {
      event.preventDefault();
      open();
    }
  });
  input.addEventListener('input', () => void find(input));
  dialog.addEventListener('keydown', (event) => step(event, input));
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog || (target as HTMLElement).closest('#hits a')) dialog.close();
  });
}

function isShortcut({ key, ctrlKey, metaKey, target }: KeyboardEvent): boolean {
  if (key === 'k' && (ctrlKey || metaKey)) return true;
  const isTyping = (target as HTMLElement).closest?.('input, textarea, select');
  return key === '/' && !isTyping && !ctrlKey && !metaKey;
}

async function find(input: HTMLInputElement): Promise<void> {
  const words = input.value.trim();
  const found = words === '' ? [] : (await index()).search(words);
  if (input.value.trim() !== words) return;
  const hits = found.slice(0, hitsMax) as unknown as Hit[];
  document.getElementById('hits')?.replaceChildren(...hits.map(hitItem));
  const count = found.length > hitsMax ? `the first ${hitsMax} of ${found.length}` : found.length;
  say(words === '' ? '' : `Found: ${count}`);
}

function say(text: string): void {
  const status = document.querySelector('dialog.search [role=status]');
  if (status) status.textContent = text;
}

function hitItem({ title, href, type, text }: Hit): HTMLElement {
  const link = element(
    'a',
    { href: addressOf(href) },
    element('span', { class: 'kind' }, type),
    element('strong', {}, title),
    element('span', { class: 'quiet' }, text.slice(0, 140)),
  );
  return element('li', {}, link);
}

/** The address of a place from this page: `data-root` leads to `docs`. */
function addressOf(href: string): string {
  const { root = '' } = document.body.dataset;
  const overview = root === 'docs/' ? 'docs' : `${root}../docs`;
  return href === '' || href.startsWith('#') ? `${overview}${href}` : `${root}${href}`;
}

/** The arrows go through the hits; Enter in the field opens the first. */
function step(event: KeyboardEvent, input: HTMLInputElement): void {
  const links = all<HTMLAnchorElement>('#hits a');
  const at = links.indexOf(document.activeElement as HTMLAnchorElement);
  if (event.key === 'Enter' && document.activeElement === input) {
    event.preventDefault();
    links[0]?.click();
    return;
  }
  const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!move || links.length === 0) return;
  event.preventDefault();
  (links[at + move] ?? input).focus();
}
