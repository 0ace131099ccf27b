/** The endpoints of each group, as `functions/README.md` shows them. */
import { existsSync, readdirSync } from 'node:fs';

const methodOrder = ['GET', 'POST', 'PUT', 'DELETE'];

/** The names of the groups: the folders of `functions` that have endpoints. */
export function groupNames(): string[] {
  return readdirSync('functions')
    .filter((name) => existsSync(`functions/${name}/endpoints.ts`))
    .sort();
}

/** The endpoints of a group, as its file lists them. */
export async function endpointsOf(group: string): Promise<readonly string[]> {
  const { endpoints } = (await import(`../../functions/${group}/endpoints.ts`)) as {
    endpoints: readonly string[];
  };
  return endpoints;
}

/** A row for each path, with its methods, group by group. */
export async function endpointTable(): Promise<string> {
  const groups = await Promise.all(
    groupNames().map(async (group) => rowsOf(group, await endpointsOf(group))),
  );
  return aligned([['group', 'path', 'methods'], ...groups.flat()]);
}

/** A table of markdown as the formatter writes it: every column as wide as its widest cell. */
export function aligned(rows: readonly (readonly string[])[]): string {
  const [head = [], ...body] = rows;
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const printed = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const rule = widths.map((width) => '-'.repeat(width));
  return [head, rule, ...body].map(printed).join('\n');
}

function rowsOf(group: string, endpoints: readonly string[]): string[][] {
  const methodsByPath = new Map<string, string[]>();
  for (const endpoint of endpoints) {
    const [method = '', path = ''] = endpoint.split(' ');
    methodsByPath.set(path, [...(methodsByPath.get(path) ?? []), method]);
  }
  const place = (method: string) => methodOrder.indexOf(method);
  return [...methodsByPath].map(([path, methods], index) => {
    const sorted = methods.sort((one, other) => place(one) - place(other));
    const name = index === 0 ? `[${group}](${group}/endpoints.ts)` : '';
    return [name, `\`${path}\``, sorted.join(', ')];
  });
}
