/**
 * Who may import whom. Modules depend on one another in one direction; what stands further down knows nothing of what stands
 * further up.
 */
const rooms = {
  // the base: knows none of the rooms above
  base: ['settings', 'errors', 'money', 'validation', 'database'],
  snapshot: ['snapshot'],
};

const above = (names) => `^src/(${names.join('|')})/`;

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-circles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, pathNot: ['\\.spec\\.ts$', '^src/(main|cli)\\.ts$'] },
      to: {},
    },
    {
      name: 'the-base-knows-nobody',
      severity: 'error',
      from: { path: above(rooms.base) },
      to: { path: '^src/', pathNot: [above(rooms.base)] },
    },
    {
      name: 'the-snapshot-is-below-what-serves-from-it',
      severity: 'error',
      from: { path: above(rooms.snapshot) },
      to: {
        path: above(['auth', 'plans', 'stock', 'orders', 'commands', 'startup', 'imports', 'http']),
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'orders-are-above-catalog-stock-and-plans',
      severity: 'error',
      from: { path: above(['catalog', 'stock', 'plans', 'auth', 'clients', 'snapshot', 'http']) },
      to: { path: above(['orders']) },
    },
    {
      name: 'nobody-imports-commands-and-startup',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/(commands|startup)/', '^src/(main|cli)\\.ts$'] },
      to: { path: above(['commands', 'startup']) },
    },
    {
      name: 'no-dev-dependencies',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.spec\\.ts$' },
      to: { dependencyTypes: ['npm-dev'] },
    },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['\\.spec\\.ts$'] },
  },
};
