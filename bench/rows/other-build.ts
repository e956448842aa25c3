import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { migrate } from '../../src/platform/database/migrate.js';
import * as signingIn from '../../test/support/sign-in.js';
import type { Bench } from '../bench.js';
import type { BenchDatabase, createBenchDatabase } from '../database/bench-database.js';
import { filledOrderNumbers } from '../database/fill-orders.js';
import { against } from '../finding.js';
import { compare } from '../load/compare.js';
import { compressedLists, hotOrders, orders, reads } from '../load/polls.js';
import { stockChecks } from '../load/polls.js';
import type { Row } from '../row.js';
import type { ServerProcess } from '../servers/server-process.js';

const TIMES_MORE_ROUNDS = 2;
const AIM = 0.95;

const run = promisify(execFile);

/** The daily requests in this build and another one (`--against`), such as the build before a change. */
export const otherBuild: Row = {
  id: 'other-build',
  async measure(bench) {
    const { against: other } = bench.options;
    if (other === undefined) return [];
    const root = other.includes('/') ? other : await build(bench, other);
    const ours = await bench.database(10_000);
    const theirs = await databaseOf(bench, root, ours.products);
    const server = await bench.service(ours);
    const before = await bench.service(theirs, {}, join(root, 'dist/src/main.js'));
    const loads = await loadsOf(ours, server, signingIn);
    const theirLoads = await loadsOf(theirs, before, await moduleOf(root, 'test/support/sign-in.js'));
    const findings = [];
    for (const [index, { work, load, by }] of loads.entries()) {
      const comparison = await compare(
        bench.often(TIMES_MORE_ROUNDS),
        { server, load },
        { server: before, load: theirLoads[index]!.load },
      );
      findings.push(...against(work, comparison, [{ name: 'other build', aim: AIM }], by));
    }
    await theirs.pool.end();
    return findings;
  },
};

/** Checks out the commit and builds it with its own packages. */
async function build({ directory }: Bench, commit: string): Promise<string> {
  const root = join(directory, 'other-build');
  const steps = [
    `git worktree add --force --detach ${root} ${commit}`,
    `cd ${root}`,
    'npm ci --prefer-offline',
    'npm run build',
    'npx tsc -p bench/tsconfig.json',
    'node bench/copy-assets.mjs',
  ];
  await run('sh', ['-c', steps.join(' && ')]);
  return root;
}

/** Each build has its own schema, so its own code creates and fills its database. */
async function databaseOf(bench: Bench, root: string, products: number): Promise<BenchDatabase> {
  const own = await moduleOf<{ migrate: typeof migrate }>(root, 'src/platform/database/migrate.js');
  const { createBenchDatabase: create } = await moduleOf<{
    createBenchDatabase: typeof createBenchDatabase;
  }>(root, 'bench/database/bench-database.js');
  const createDatabase = (name: string) => bench.postgres.createDatabase(`other_${name}`, own.migrate);
  return create({ createDatabase }, products);
}

async function moduleOf<Module>(root: string, path: string): Promise<Module> {
  return (await import(pathToFileURL(join(root, 'dist-bench', path)).href)) as Module;
}

async function loadsOf(database: BenchDatabase, server: ServerProcess, { signIn }: typeof signingIn) {
  const { headers, clientId } = database.store;
  const { cookie } = await signIn({ pool: database.pool, url: '' }, clientId);
  const polls = filledOrderNumbers(1_000).map((number) => `/api/orders/${number}/status`);
  const { sync_token: token } = (await (await fetch(`${server.url}/api/products`, { headers })).json()) as {
    sync_token: string;
  };
  return [
    { work: 'stock check', load: stockChecks(database) },
    { work: 'whole list, gzip', load: compressedLists(database) },
    {
      work: 'delta without changes',
      load: reads(headers, [`/api/products?since=${encodeURIComponent(token)}`]),
    },
    { work: 'order status poll', load: reads(headers, polls) },
    { work: "dashboard's list of orders", load: reads({ Cookie: cookie }, ['/dashboard/orders'], 8) },
    { work: 'order of two lines, 1 client', load: orders(database, 1), by: 'rate' as const },
    { work: 'order of two lines, 32 clients', load: orders(database, 32), by: 'rate' as const },
    { work: 'order of one SKU, 128 clients', load: hotOrders(database, 128), by: 'rate' as const },
  ];
}
