/** The action that serves the document. Decision 30. */
import { open } from '../access/required-permission.ts';
import type { Action } from '../port/action.ts';
import type { OpenApi } from './openapi.ts';

/** Answers the document, with the base addresses of this deployment. */
export function serveDocument(document: OpenApi): Action {
  return {
    requires: open('The description of the interface contains no data of a ledger. Decision 30.'),
    run: async ({ services }) => {
      const servers = services.settings.servers.map((url) => ({ url }));
      const text = JSON.stringify({ ...document, servers });
      const headers = { 'cache-control': 'no-cache' };
      return { status: 200, document: { type: 'application/json', text, headers, isStatic: true } };
    },
  };
}
