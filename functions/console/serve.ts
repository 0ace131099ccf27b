/** The actions that serve the console: the same three files for everybody. Ruling 103, Decision 120. */
import { open } from '../../shared/access/required-permission.ts';
import { pagePolicy } from '../../shared/http/page-policy.ts';
import type { Action } from '../../shared/port/action.ts';
import { assets } from './assets.ts';
import type { ConsoleFiles } from './files.ts';

const headers = {
  'cache-control': 'no-cache',
  'content-security-policy': pagePolicy('data:'),
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
