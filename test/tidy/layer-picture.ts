/** The layers and what they may import, as `shared/README.md` shows them: drawn from the rules. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';

interface Layer {
  readonly imports?: readonly string[];
  readonly types?: readonly string[];
}

const table = createRequire(import.meta.url)('./layer-table.cjs') as Readonly<
  Record<string, Layer>
>;
/** The layers that there are; the rules know some that are yet to come. */
export const layers = Object.keys(table).filter((layer) => existsSync(layer));

/** A flowchart of mermaid: full arrows are imports, dotted ones know the types only. */
export function layerPicture(): string {
  const isShared = (layer: string) => layer.startsWith('shared/');
  const outer = layers.filter((layer) => !isShared(layer));
  return [
    '```mermaid',
    'flowchart TD',
    ...outer.flatMap(arrowsOf).map((line) => `  ${line}`),
    '  subgraph shared',
    ...layers.filter(isShared).map((layer) => `    ${nameOf(layer)}`),
    ...layers
      .filter(isShared)
      .flatMap(arrowsOf)
      .map((line) => `    ${line}`),
    '  end',
    '```',
  ].join('\n');
}

function arrowsOf(layer: string): string[] {
  const { imports = [], types = [] } = table[layer] ?? {};
  return [...arrows(layer, imports, '-->'), ...arrows(layer, types, '-.->')];
}

/** One arrow to each layer, with the files when not all of them may be imported. */
function arrows(layer: string, paths: readonly string[], arrow: string): string[] {
  const targets = [...new Set(paths.map(layerOf))];
  return targets.map((target) => {
    const files = paths
      .filter((path) => layerOf(path) === target && path !== target)
      .map((path) => path.split('/').at(-1));
    const label = files.length > 0 ? `|${files.join(', ')}|` : '';
    return `${nameOf(layer)} ${arrow}${label} ${nameOf(target)}`;
  });
}

function layerOf(path: string): string {
  return layers.find((layer) => path.startsWith(`${layer}/`)) ?? path;
}

function nameOf(layer: string): string {
  return layer.replace('shared/', '');
}
