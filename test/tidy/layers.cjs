/** The layers as rules of dependency-cruiser; `npm run layers` and `layers.test.ts` check them. */
const table = require('./layer-table.cjs');

/** A path of the table as a regular expression: a folder with all that is in it, or one file. */
const inside = (path) =>
  /\.m?[tj]s$/.test(path) ? `^${path.replaceAll('.', '\\.')}$` : `^${path}/`;
const inPackage = (name) => `node_modules/${name}/`;
const rule = (name, from, to) => ({ name, severity: 'error', from, to });
const notOnlyTypes = { dependencyTypesNot: ['type-only'] };

function rulesOf([layer, { imports = [], types = [], packages = [], pure = false }]) {
  const from = { path: inside(layer) };
  const allowed = [layer, ...imports, ...types].map(inside);
  const limited = packages.filter((each) => typeof each === 'object');
  const names = packages.map((each) => (typeof each === 'object' ? each.name : each));
  return [
    rule(`layer: ${layer}`, from, {
      path: '^(functions|infra|localstack|shared)/',
      pathNot: allowed,
    }),
    rule(`packages: ${layer}`, from, { path: 'node_modules/', pathNot: names.map(inPackage) }),
    ...types.map((path) =>
      rule(`types only: ${layer}, ${path}`, from, {
        path: inside(path),
        pathNot: [layer, ...imports].map(inside),
        ...notOnlyTypes,
      }),
    ),
    ...limited.map(({ name, files = [], types: isTypes = false }) =>
      rule(
        `packages: ${layer}, ${name}`,
        { ...from, pathNot: files.map(inside) },
        { path: inPackage(name), ...(isTypes && notOnlyTypes) },
      ),
    ),
    ...(pure ? [rule(`pure: ${layer}`, from, { dependencyTypes: ['core'] })] : []),
  ];
}

module.exports = {
  forbidden: [
    ...Object.entries(table).flatMap(rulesOf),
    rule(
      'every folder is a layer',
      {
        path: '^(functions|infra|localstack|shared)/',
        pathNot: Object.keys(table).map(inside),
      },
      {},
    ),
    rule('no cycles', {}, { circular: true }),
    rule('nothing imports a test', { pathNot: '^test/' }, { path: '^test/' }),
    // What cannot be found is in no layer, so that no other rule would see it.
    rule('everything is found', {}, { couldNotResolve: true }),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types'],
    },
  },
};
