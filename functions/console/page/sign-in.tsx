/** Signing in: a key file, the server and the ledger. The key stays in the memory of this tab. */
import { useState } from 'preact/hooks';
import { signerIn } from './key-file.ts';
import { Problem } from './loading.tsx';
import { LedgerSession } from './session.ts';

/** The base address that this page was loaded from. */
function ownBase(): string {
  return new URL('.', location.href).href.replace(/\/$/, '');
}

/** The server that a text means. Throws a `TypeError` in words for one that this page may not ask. */
function serverIn(text: string): string {
  const server = text.trim().replace(/\/+$/, '');
  if (!URL.canParse(server)) throw new TypeError('The base address is no address.');
  const { origin } = new URL(server);
  if (origin === location.origin) return server;
  throw new TypeError(
    `This page asks nobody but the server that it came from, ${location.origin}. Open ${server}/console instead.`,
  );
}

export function SignIn({ begin }: { readonly begin: (session: LedgerSession) => void }) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const enter = async (form: HTMLFormElement) => {
    const given = new FormData(form);
    const text = (name: string) => String(given.get(name) ?? '').trim();
    const file = given.get('key');
    // A form without a chosen file has one without a name.
    const hasFile = file instanceof File && file.name !== '';
    begin(
      await LedgerSession.begin({
        server: serverIn(text('server')),
        ledger: text('ledger'),
        trust: text('trust'),
        ...(hasFile && { signer: await signerIn(file) }),
      }),
    );
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    enter(event.currentTarget as HTMLFormElement).catch((failure: unknown) => {
      setError(failure);
      setBusy(false);
    });
  };
  return (
    <main class="sign-in">
      <p class="brand">Countersign</p>
      <h1>Sign in with your key</h1>
      <p>
        The key stays in this tab: it signs here, is sent nowhere, and is forgotten when the tab
        closes.
      </p>
      <form onSubmit={submit}>
        <label>
          Key file
          <input type="file" name="key" aria-describedby="key-help" />
          <small id="key-help">
            <code>countersign key my.key</code> makes one. Without a key you may look where the
            ledger is open.
          </small>
        </label>
        <label>
          Ledger
          <input
            name="ledger"
            autocomplete="off"
            spellcheck={false}
            placeholder="the default ledger"
          />
        </label>
        <details>
          <summary>Server and trusted key</summary>
          <label>
            Base address
            <input name="server" type="url" required defaultValue={ownBase()} spellcheck={false} />
          </label>
          <label>
            Public key of the ledger
            <input
              name="trust"
              autocomplete="off"
              spellcheck={false}
              placeholder="believed from its first answer"
              aria-describedby="trust-help"
            />
            <small id="trust-help">
              If you know it from elsewhere, answers of any other key are shown in red.
            </small>
          </label>
        </details>
        {error !== undefined && <Problem error={error} />}
        <button type="submit" disabled={isBusy} aria-busy={isBusy}>
          {isBusy ? 'Signing in' : 'Sign in'}
        </button>
      </form>
    </main>
  );
}
