import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { migrate } from '../../src/platform/database/migrate.js';
import { signIn } from '../../test/support/sign-in.js';
import type { BenchDatabase, createBenchDatabase } from '../database/bench-database.js';
import { finding, type Finding, type Row } from '../finding.js';
import { comparisonOf, takeTurns, type Turn } from '../load/compare.js';
import { hotOrders, type Load, orders, reads, statusPolls, stockChecks, wholeLists } from '../load/loads.js';

/** Two processes of one build differ by a tenth for as long as they run: V8 optimizes each in its own way. */
const STARTS = 4;
const AIM = 0.95;

const run = promisify(execFile);

/** The daily requests in this build and another one (`--against`), such as the build before a change. */
export const otherBuild: Row = {
  id: 'other-build',
  async measure(bench) {
    const { against: other } = bench.options;
    if (other === undefined) return [];
    const root = other.includes('/') ? other : await build(join(bench.directory, 'other-build'), other);
    // Each build has its own schema, so its own code creates and fills its database.
    const builtAt = async <Module>(path: string) =>
      (await import(pathToFileURL(join(root, 'dist-bench', path)).href)) as Module;
    const own = await builtAt<{ migrate: typeof migrate }>('src/platform/database/migrate.js');
    const filling = await builtAt<{ createBenchDatabase: typeof createBenchDatabase }>(
      'bench/database/bench-database.js',
    );
    const createDatabase = (name: string) => bench.postgres.createDatabase(`other_${name}`, own.migrate);
    const theirs = await filling.createBenchDatabase({ createDatabase }, 10_000);
    const theirSignIn = (await builtAt<{ signIn: typeof signIn }>('test/support/sign-in.js')).signIn;
    const ours = await bench.database(10_000);
    const [ourLoads, theirLoads] = [await loadsOf(ours, signIn), await loadsOf(theirs, theirSignIn)];
    const turns: Record<string, Turn[][]> = {};
    for (let start = 0; start < STARTS; start++) {
      const server = await bench.service(ours);
      const before = await bench.service(theirs, {}, join(root, 'dist/src/main.js'));
      for (const [work, load] of Object.entries(ourLoads))
        (turns[work] ??= []).push(
          await takeTurns(bench, { server, load }, { server: before, load: theirLoads[work]! }),
        );
      await bench.stopServers();
    }
    await theirs.pool.end();
    return Object.entries(turns).map(([work, starts]): Finding => {
      const by = ourLoads[work]!.requests[0]!.body ? 'rate' : 'cost';
      const found = finding(work, comparisonOf(starts.flat()), 'other build', by, AIM);
      const ratios = starts.map((taken) => comparisonOf(taken)[by].toFixed(2)).toSorted();
      return { ...found, against: `${found.against}; each start: ${ratios.join(', ')}` };
    });
  },
};

/** Checks out the commit and builds it with its own packages. */
async function build(root: string, commit: string): Promise<string> {
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

async function loadsOf(database: BenchDatabase, enter: typeof signIn): Promise<Record<string, Load>> {
  const { pool, store } = database;
  const { cookie } = await enter({ pool, url: '' }, store.clientId);
  return {
    'stock check': stockChecks(database),
    'whole list, gzip': wholeLists(database),
    'order status poll': await statusPolls(database),
    'page of 100 products': reads(store.headers, ['/api/products?limit=100']),
    "dashboard's list of orders": reads({ Cookie: cookie }, ['/dashboard/orders'], 8),
    'order of two lines, 1 client': orders(database, 1),
    'order of two lines, 32 clients': orders(database, 32),
    'order of one SKU, 128 clients': hotOrders(database, 128),
  };
}
