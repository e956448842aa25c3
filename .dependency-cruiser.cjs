/**
 * The layers of docs/architecture.md, from the bottom up. A folder imports folders of lower layers; in its own layer it
 * imports only the folders that are named for it. SQL follows the same rules: `scripts/check-tables.mjs` treats the name
 * of a table as an import of its entity.
 */
const LAYERS = [
  { platform: [] },
  { 'shared/ui': [], 'shared/imports': [], 'shared/mail': [], 'shared/pdf': [] },
  { 'read-model': [] },
  modules({
    tax: [],
    pictures: [],
    catalog: ['audit', 'pictures', 'tax'],
    stock: ['audit', 'catalog'],
    plans: ['audit', 'catalog'],
    audit: [],
    company: ['audit', 'pictures'],
    notes: [],
    clients: ['audit', 'plans', 'tax'],
    people: ['audit', 'clients'],
    auth: ['audit', 'clients', 'invoices', 'people'],
    'request-log': ['clients'],
    invoices: ['audit', 'catalog', 'clients', 'company', 'pictures', 'tax'],
    wallet: ['audit', 'clients', 'invoices'],
    orders: [
      'request-log',
      'audit',
      'catalog',
      'clients',
      'invoices',
      'people',
      'plans',
      'stock',
      'tax',
      'wallet',
    ],
    'test-orders': ['clients', 'invoices', 'orders'],
    fulfilment: [
      'audit',
      'catalog',
      'clients',
      'company',
      'invoices',
      'orders',
      'pictures',
      'stock',
      'test-orders',
    ],
    payments: ['audit', 'clients', 'company', 'invoices', 'orders', 'tax', 'wallet'],
    sales: ['audit', 'clients', 'company', 'invoices', 'orders', 'tax', 'wallet'],
    notices: ['request-log', 'audit', 'clients', 'orders', 'payments', 'people', 'plans', 'stock', 'wallet'],
  }),
  { 'app.module.ts': [], demo: [] },
  { web: [], cli: [], api: ['web'] },
  { server: [] },
  { 'main.ts': [], 'cli.ts': [] },
];

/** Stand-ins for servers of other makers, beside the layers: each with its imports and its users. */
const STAND_INS = {
  'server/embedded-postgres': { imports: [], users: ['cli', 'server'] },
  'sandbox-gateway': { imports: ['platform', 'shared/ui'], users: ['modules/payments', 'server'] },
};

function modules(neighbours) {
  const inModules = (name) => `modules/${name}`;
  return Object.fromEntries(
    Object.entries(neighbours).map(([name, others]) => [inModules(name), others.map(inModules)]),
  );
}

/** Each folder with all folders that it may import. */
const folders = new Map([
  ...Object.entries(STAND_INS).map(([folder, { imports }]) => [folder, imports]),
  ...LAYERS.flatMap((layer, level) =>
    Object.entries(layer).map(([folder, neighbours]) => [
      folder,
      [
        ...LAYERS.slice(0, level).flatMap((lower) => Object.keys(lower)),
        ...neighbours,
        ...Object.keys(STAND_INS).filter((other) => STAND_INS[other].users.includes(folder)),
      ],
    ]),
  ),
]);

const pathOf = (names) => `^src/(${names.join('|').replaceAll('.', '\\.')})(/|$)`;

/** A stand-in within another folder has rules of its own. */
const nestedIn = (folder) =>
  Object.keys(STAND_INS)
    .filter((other) => other.startsWith(`${folder}/`))
    .map((other) => pathOf([other]));

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...[...folders].map(([folder, others]) => ({
      name: `${folder}-imports-only-its-folders`,
      severity: 'error',
      from: { path: pathOf([folder]), pathNot: nestedIn(folder) },
      to: { path: '^src/', pathNot: pathOf([folder, ...others]) },
    })),
    {
      name: 'every-file-has-a-layer',
      severity: 'error',
      from: { path: '^src/', pathNot: pathOf([...folders.keys()]) },
      to: {},
    },
    {
      name: 'rules-know-only-rules',
      severity: 'error',
      from: { path: '^src/modules/([^/]+)/rules/' },
      to: { path: '^src/modules/$1/', pathNot: '^src/modules/$1/rules/' },
    },
    {
      // Types of other modules are no code. The tables of the law and the words of the audit log are pure.
      name: 'rules-know-only-rules-of-other-modules',
      severity: 'error',
      from: { path: '^src/modules/[^/]+/rules/', pathNot: '\\.spec\\.ts$' },
      to: {
        path: '^src/(?!platform/)',
        pathNot: [
          '^src/modules/[^/]+/rules/',
          '^src/modules/tax/(goods-law|gst-codes|gstin)\\.ts$',
          '^src/modules/audit/actor-of\\.ts$',
          '^src/read-model/products/variations\\.ts$',
        ],
        dependencyTypesNot: ['type-only'],
      },
    },
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-orphans',
      severity: 'error',
      from: {
        orphan: true,
        pathNot: [
          '\\.spec\\.tsx?$',
          '^src/(main|cli)\\.ts$',
          '^src/server/programs/(main|cli)\\.ts$',
          '^src/shared/ui/assets/',
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
