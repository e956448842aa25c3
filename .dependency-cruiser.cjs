/**
 * The floors of docs/architecture.md, from the ground up. A room imports rooms of lower floors; on its own floor it
 * imports only the rooms that are named for it. SQL follows the same rules: `scripts/check-tables.mjs` treats the name of
 * a table as an import of its entity.
 */
const FLOORS = [
  { platform: [] },
  { pages: [], imports: [], mail: [], documents: [] },
  { 'read-model': [] },
  {
    tax: [],
    catalog: ['audit', 'tax'],
    stock: ['audit', 'catalog'],
    plans: ['audit', 'catalog'],
    audit: [],
    house: ['audit'],
    notes: [],
    clients: ['audit', 'plans', 'tax'],
    people: ['audit', 'clients'],
    auth: ['audit', 'clients', 'people'],
    activity: ['clients'],
    invoices: ['audit', 'catalog', 'clients', 'tax'],
    wallet: ['audit', 'clients', 'invoices'],
    orders: ['activity', 'audit', 'catalog', 'clients', 'invoices', 'plans', 'stock', 'wallet'],
    'test-orders': ['clients', 'orders'],
    fulfilment: ['audit', 'catalog', 'clients', 'invoices', 'orders', 'stock', 'test-orders'],
    sales: ['clients', 'invoices', 'orders', 'tax', 'wallet'],
    payments: ['audit', 'clients', 'house', 'invoices', 'orders', 'wallet'],
    notices: ['activity', 'audit', 'clients', 'orders', 'payments', 'people', 'plans', 'wallet'],
  },
  { 'app.module.ts': [], demo: [], doors: ['app.module.ts', 'demo'] },
  { host: [] },
  { programs: [], 'main.ts': ['programs'], 'worker.ts': ['programs'], 'cli.ts': ['programs'] },
];

/** Rooms beside the house, each with its imports and its users: they stand in for servers of other makers. */
const ANNEX = {
  'embedded-postgres': { imports: [], users: ['doors', 'host', 'programs'] },
  'sandbox-gateway': { imports: ['platform', 'pages'], users: ['payments', 'host'] },
};

/** Each room with all rooms that it may import. */
const rooms = new Map([
  ...FLOORS.flatMap((floor, level) =>
    Object.entries(floor).map(([room, neighbours]) => [
      room,
      [
        ...FLOORS.slice(0, level).flatMap((below) => Object.keys(below)),
        ...neighbours,
        ...Object.keys(ANNEX).filter((other) => ANNEX[other].users.includes(room)),
      ],
    ]),
  ),
  ...Object.entries(ANNEX).map(([room, { imports }]) => [room, imports]),
]);

const pathOf = (names) => `^src/(${names.join('|').replaceAll('.', '\\.')})(/|$)`;

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...[...rooms].map(([room, others]) => ({
      name: `${room}-imports-only-its-rooms`,
      severity: 'error',
      from: { path: pathOf([room]) },
      to: { path: '^src/', pathNot: pathOf([room, ...others]) },
    })),
    {
      name: 'every-file-has-a-room',
      severity: 'error',
      from: { path: '^src/', pathNot: pathOf([...rooms.keys()]) },
      to: {},
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
        pathNot: [
          '\\.spec\\.tsx?$',
          '^src/(main|cli|worker)\\.ts$',
          '^src/programs/(main|cli|worker)\\.ts$',
          '^src/pages/assets/',
        ],
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
