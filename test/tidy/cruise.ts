/** Runs the rules of `layers.cjs` over folders, as `npm run layers` does. */
import { createRequire } from 'node:module';
import { cruise, type ICruiseOptions, type ICruiseResult } from 'dependency-cruiser';

interface Layers {
  readonly forbidden: NonNullable<ICruiseOptions['ruleSet']>['forbidden'];
  readonly options: ICruiseOptions & { readonly enhancedResolveOptions: object };
}

const layers = createRequire(import.meta.url)('./layers.cjs') as Layers;

export async function cruised(folders: readonly string[], base?: string): Promise<ICruiseResult> {
  const { enhancedResolveOptions, tsConfig: _, ...options } = layers.options;
  const { output } = await cruise(
    [...folders],
    {
      ...options,
      ...(base && { baseDir: base }),
      validate: true,
      ruleSet: { forbidden: layers.forbidden ?? [] },
    },
    enhancedResolveOptions,
  );
  if (typeof output === 'string') throw new Error('A cruise without an output type is an object.');
  return output;
}
