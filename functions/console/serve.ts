/** The actions that serve the console: the same three files for everybody. Ruling 103, Decision 120. */
import { open } from '../../shared/access/required-permission.ts';
import type { Action } from '../../shared/port/action.ts';
import { assets } from './assets.ts';
import type { ConsoleFiles } from './files.ts';

/** The page may load its own script and style, ask its own server, and nothing else. No text becomes code or HTML. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  'img-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const headers = {
  'cache-control': 'no-cache',
  'content-security-policy': policy,
  'cross-origin-opener-policy': 'same-origin',
};

const types: Readonly<Record<keyof ConsoleFiles, string>> = {
  page: 'text/html; charset=utf-8',
  script: 'text/javascript; charset=utf-8',
  style: 'text/css; charset=utf-8',
};

/** Answers a file of the console. It adds no errors to those of the steps. */
export function servePart(part: keyof ConsoleFiles): Action {
  return {
    requires: open('The console is the same for everybody and contains no data of a ledger.'),
    run: async () => ({
      status: 200,
      document: { type: types[part], text: (await assets())[part], headers, isStatic: true },
    }),
  };
}
