/** The document as it is served: for programs and, as a page, for people. Decision 30. */
import { createHash } from 'node:crypto';
import { open } from '../access/asks.ts';
import type { Action, Call } from '../port/action.ts';
import type { OpenApi } from './openapi.ts';
import { pageOf } from './page.ts';
import { style } from './style.ts';

const styleHash = createHash('sha256').update(style).digest('base64');

/** The page may do nothing but have its own style. */
const pageHeaders = {
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
};

const asks = open('What the interface is says nothing of a ledger. Decision 30.');

/** Answers the document, with the addresses under which this deployment is reached. */
export function publish(document: OpenApi): Action {
  return {
    asks,
    run: async ({ services }) => {
      const servers = services.settings.servers.map((url) => ({ url }));
      const text = JSON.stringify({ ...document, servers });
      return { status: 200, document: { type: 'application/json', text } };
    },
  };
}

/** Answers the document as a page. */
export function show(document: OpenApi): Action {
  return {
    asks,
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
