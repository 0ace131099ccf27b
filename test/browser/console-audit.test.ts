/** Goal: whoever looks at the health of a ledger sees when it was audited last, and what was found. Decision 121. */
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endpointIn } from '../../localstack/runtime/data.ts';
import { tableClient } from '../../shared/store/client.ts';
import { dynamoAudits } from '../../shared/store/store.ts';
import { look } from '../fixture/chromium.ts';
import { clientOf, newKey } from '../fixture/client.ts';
import { expectClean, signIn } from '../fixture/console.ts';
import { command, newDataFolder, type Runtime, start } from '../fixture/runtime.ts';

const data = newDataFolder();
let runtime: Runtime;

beforeAll(async () => {
  runtime = await start({ data });
});
afterAll(async () => {
  await runtime.stop();
  rmSync(data, { recursive: true });
});

test('in an open ledger everybody may, without a rule', async () => {
  const visited = await signIn(clientOf(runtime.url, runtime.key), newKey(), { place: '#/access' });
  const { page } = visited;
  await page.getByText('No rule has been laid down: everybody may do everything').waitFor();
  await page.getByRole('button', { name: 'Ask' }).click();
  await page.getByText('The ledger has neither rules nor owners').waitFor();
  await look(page, 'access-open');
  expectClean(visited);
});

test('health shows the last audit with its age, in red when it found something', async () => {
  const visited = await signIn(clientOf(runtime.url, runtime.key), newKey(), { place: '#/health' });
  const { page } = visited;
  await page.getByText('None is noted.').waitFor();
  expect(await command('audit', data)).toMatchObject({ code: 0 });
  await page.getByRole('button', { name: 'Read again' }).click();
  await page.getByText('nothing, all in order').waitFor();
  await page.getByText('less than a minute').waitFor();
  expect(await page.locator('.seal.bad').count()).toBe(0);

  const client = tableClient({ endpoint: endpointIn(data) ?? '' });
  const audits = dynamoAudits({ client, tableName: 'countersign' });
  const last = await audits.last('main');
  if (last) await audits.note('main', { ...last, findings: 2, isPartial: true });
  client.destroy();
  await page.getByRole('button', { name: 'Read again' }).click();
  await page.getByRole('alert').getByText('2 or more found: the ledger is not in order.').waitFor();
  await look(page, 'health-found');
  // The log of a new ledger may have no checkpoint yet.
  expect(visited.faults.filter((text) => !text.includes('404'))).toEqual([]);
});
