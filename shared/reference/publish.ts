/** The actions that serve the document, as JSON and as a page. Decision 30. */
import { createHash } from 'node:crypto';
import { open } from '../access/required-permission.ts';
import type { Action, Call } from '../port/action.ts';
import type { OpenApi } from './openapi.ts';
import { pageOf } from './page.ts';
import { style } from './style.ts';

const styleHash = createHash('sha256').update(style).digest('base64');

/** The page may apply its own style, and load or run nothing. */
const pageHeaders = {
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
};

const requires = open(
  'The description of the interface contains no data of a ledger. Decision 30.',
);

/** Answers the document, with the base addresses of this deployment. */
export function serveDocument(document: OpenApi): Action {
  return {
    requires,
    run: async ({ services }) => {
      const servers = services.settings.servers.map((url) => ({ url }));
      const text = JSON.stringify({ ...document, servers });
      return { status: 200, document: { type: 'application/json', text } };
    },
  };
}

export function servePage(document: OpenApi): Action {
  return {
    requires,
    run: async (call) => {
      const text = pageOf(document, baseOf(call) ?? '');
      return {
        status: 200,
        document: { type: 'text/html; charset=utf-8', text, headers: pageHeaders },
      };
    },
  };
}

function baseOf({ services }: Call): string | undefined {
  const [base] = services.settings.servers;
  return base;
}
