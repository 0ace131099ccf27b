/** The actions that serve the reference: the same for everybody. Ruling 102, Decision 119. */
import { open } from '../../shared/access/required-permission.ts';
import { pagePolicy } from '../../shared/http/page-policy.ts';
import { LedgerError } from '../../shared/ledger/errors.ts';
import type { Action, Document } from '../../shared/port/action.ts';
import { sampleBase } from '../../shared/reference/sample-base.ts';
import { docsAssets } from './assets.ts';

const requires = open('The reference contains no data of a ledger. Decision 30.');

/** Pages are asked for again each time, and answered with 304 when they are the same. */
const pageHeaders = {
  'cache-control': 'no-cache',
  'content-security-policy': pagePolicy("'self'"),
};
/** The name of a file changes with its content. */
const fileHeaders = { 'cache-control': 'public, max-age=31536000, immutable' };

/** Errors: `api.route-not-found` for a page that there is not. */
export function servePage(
  pathOf: (path: Readonly<Record<string, string>>) => string | undefined,
): Action {
  return {
    requires,
    run: async ({ path, services }) => {
      const { pages } = await docsAssets();
      const name = pathOf(path) ?? '';
      const page = Object.hasOwn(pages, name) ? pages[name] : undefined;
      if (page === undefined) throw notFound(`page ${name}`);
      const [base = sampleBase] = services.settings.servers;
      const text = page.replaceAll(sampleBase, base);
      return answer({ type: 'text/html; charset=utf-8', text, headers: pageHeaders });
    },
  };
}

/** Errors: `api.route-not-found` for a file that there is not, such as one of an earlier version. */
export const serveFile: Action = {
  requires,
  run: async ({ path }) => {
    const { files } = await docsAssets();
    const name = path['file'] ?? '';
    const file = Object.hasOwn(files, name) ? files[name] : undefined;
    if (!file) throw notFound(`file ${name}`);
    return answer({ ...file, headers: fileHeaders });
  },
};

function answer(document: Document) {
  return { status: 200, document: { ...document, isStatic: true } } as const;
}

function notFound(what: string): LedgerError {
  return new LedgerError('api.route-not-found', `The reference has no ${what.slice(0, 100)}.`);
}
