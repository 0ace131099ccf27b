/** A button on each block of code that copies it. */
import { all, element } from './element.ts';

const saidMs = 1_500;

export function addCopyButtons(within: ParentNode = document): void {
  for (const block of all('.code', within)) {
    const button = element('button', { type: 'button', class: 'copy' }, 'Copy');
    button.addEventListener('click', () => void copy(block, button));
    (block.querySelector('.head') ?? block).append(button);
  }
}

async function copy(block: HTMLElement, button: HTMLButtonElement): Promise<void> {
  const shown = all('pre', block).find((one) => !one.closest('[hidden]'));
  const done = await copied(shown?.textContent ?? '');
  button.textContent = done ? 'Copied' : 'Press Ctrl+C';
  if (!done && shown) getSelection()?.selectAllChildren(shown);
  setTimeout(() => {
    button.textContent = 'Copy';
  }, saidMs);
}

/** False where the browser does not let a page write to the clipboard. */
async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
