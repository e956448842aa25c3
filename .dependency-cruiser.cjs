/** Who may import whom: a floor knows the floors below it, and nothing of its neighbours or of what stands further up. */
const floors = [
  ['embedded-postgres'],
  ['platform'],
  ['pages', 'mail'],
  ['sandbox-gateway'],
  ['read-model', 'imports'],
  ['catalog'],
  ['stock', 'plans'],
  ['audit'],
  ['auth'],
  ['activity'],
  ['wallet'],
  ['orders'],
  ['payments'],
  ['app.module.ts'],
  ['demo'],
  ['doors'],
  ['host'],
];

const pathOf = (names) => `^src/(${names.join('|')})(/|$)`;

const layers = floors.flatMap((floor, level) =>
  floor.map((room) => ({
    name: `${room}-knows-only-what-is-below`,
    severity: 'error',
    from: { path: pathOf([room]) },
    to: { path: '^src/', pathNot: pathOf([room, ...floors.slice(0, level).flat()]) },
  })),
);

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...layers,
    {
      name: 'what-runs-postgres-knows-nothing-of-ours',
      severity: 'error',
      from: {
        path: pathOf([
          'platform',
          'pages',
          'mail',
          'read-model',
          'imports',
          'catalog',
          'stock',
          'plans',
          'audit',
          'auth',
          'activity',
          'wallet',
          'orders',
          'payments',
          'app.module.ts',
        ]),
      },
      to: { path: pathOf(['embedded-postgres']) },
    },
    {
      name: 'rules-know-only-rules',
      severity: 'error',
      from: { path: '^src/([^/]+)/rules/' },
      to: { path: '^src/$1/', pathNot: '^src/$1/rules/' },
    },
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-orphans',
      severity: 'error',
      from: {
        orphan: true,
        pathNot: ['\\.spec\\.tsx?$', '^src/(main|cli)\\.ts$', '^src/pages/assets/'],
      },
      to: {},
    },
    {
      name: 'no-dev-dependencies',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.spec\\.tsx?$' },
      to: { dependencyTypes: ['npm-dev'] },
    },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['\\.spec\\.tsx?$'] },
  },
};
