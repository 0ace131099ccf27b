/** The key and the ledger of this tab. The key is read from a file, signs here, and is sent nowhere. It ends with the tab. */
import type { ProofSigner } from '../../../shared/client/digest.ts';
import { keyFrom, newKey } from '../../../shared/client/key.ts';
import { all, element } from './element.ts';

const keyName = 'countersign.docs.key';
const ledgerName = 'countersign.docs.ledger';
/** A key file is a line of 44 characters. */
const fileBytesMax = 1_000;

/** The signer of the key of this tab; undefined before one is chosen. */
export function signerOfTab(): ProofSigner | undefined {
  const secret = sessionStorage.getItem(keyName);
  return secret === null ? undefined : keyFrom(secret);
}

/** The ledger that requests of this tab name; empty for the default ledger. */
export function ledgerNamed(): string {
  return sessionStorage.getItem(ledgerName) ?? '';
}

/** The part of a form that chooses the key and the ledger; all forms of a page show the same. */
export function keyPanel(): HTMLElement {
  const file = element('input', { type: 'file', class: 'key-file', 'aria-label': 'Key file' });
  const fresh = element('button', { type: 'button' }, 'Make one for this tab');
  const forget = element('button', { type: 'button', class: 'forget' }, 'Forget');
  const shown = element('span', { class: 'key', role: 'status' });
  const ledger = element('input', {
    class: 'ledger',
    value: ledgerNamed(),
    placeholder: 'the default ledger',
    spellcheck: 'false',
    autocomplete: 'off',
  });
  file.addEventListener('change', () => void take(file, shown));
  fresh.addEventListener('click', () => keep(newKey().exportSecret()));
  forget.addEventListener('click', () => keep(undefined));
  ledger.addEventListener('change', () => name(ledger.value.trim()));
  const panel = element(
    'fieldset',
    { class: 'panel' },
    element('legend', {}, 'Your key'),
    element('div', { class: 'row' }, shown, forget),
    element(
      'div',
      { class: 'row choose' },
      element('label', { class: 'file' }, element('span', {}, 'Key file'), file),
      fresh,
    ),
    element(
      'p',
      { class: 'quiet' },
      'The file that ',
      element('code', {}, 'countersign key'),
      ' made. The key signs in this tab, and is neither sent nor stored beyond it.',
    ),
    element('label', {}, element('code', {}, 'x-ledger'), ledger),
  );
  queueMicrotask(show);
  return panel;
}

async function take(file: HTMLInputElement, shown: HTMLElement): Promise<void> {
  const [chosen] = file.files ?? [];
  if (!chosen) return;
  try {
    if (chosen.size > fileBytesMax) throw new TypeError('too large');
    keep(keyFrom(await chosen.text()).exportSecret());
  } catch {
    shown.textContent = `${chosen.name} is no key file.`;
  }
  file.value = '';
}

function keep(secret: string | undefined): void {
  if (secret === undefined) sessionStorage.removeItem(keyName);
  else sessionStorage.setItem(keyName, secret);
  show();
}

function name(ledger: string): void {
  sessionStorage.setItem(ledgerName, ledger);
  for (const input of all<HTMLInputElement>('.panel .ledger')) input.value = ledger;
}

function show(): void {
  const signer = signerOfTab();
  for (const panel of all('.panel')) {
    panel.classList.toggle('chosen', signer !== undefined);
    const shown = panel.querySelector('.key');
    if (shown)
      shown.textContent = signer
        ? `${signer.public.slice(0, 12)}…`
        : 'No key: what is open can be read.';
  }
}
