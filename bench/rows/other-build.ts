import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { migrate } from '../../src/platform/database/migrate.js';
import type { Bench } from '../bench.js';
import { signIn } from '../../test/support/sign-in.js';
import { type BenchDatabase, createNewDatabase, WEEKS } from '../database/bench-database.js';
import { fillDatabase } from '../../test/support/filled-database.js';
import { finding, type Finding, type Row } from '../finding.js';
import { comparisonOf, takeTurns, type Turn } from '../load/compare.js';
import type { ServerProcess } from '../processes.js';
import { hotOrders, type Load, orders, reads } from '../load/loads.js';
import { pollsOf } from '../load/polls.js';

/**
 * Two processes of one build differ by a tenth for as long as they run: V8 optimizes each in its own way. The one
 * that starts first costs a twentieth more, so the builds take turns in this too.
 */
const STARTS = 4;
const PRODUCTS = 10_000;
const AIM = 0.95;

const run = promisify(execFile);

type LoadsOf = (
  database: BenchDatabase,
  server: { url: string },
  enter: typeof signIn,
) => Promise<Record<string, Load>>;

/** The daily requests in this build and another one (`--against`), such as the build before a change. */
export const otherBuild: Row = {
  id: 'other-build',
  measure: (bench) => compareBuilds(bench, dailyLoads),
};

/** No findings without another build. */
export async function compareBuilds(bench: Bench, loadsOf: LoadsOf): Promise<Finding[]> {
  const { against: other } = bench.options;
  if (other === undefined) return [];
  const root = other.includes('/') ? other : await build(join(bench.directory, 'other-build'), other);
  const builtAt = async <Module>(path: string) =>
    (await import(pathToFileURL(join(root, 'dist-bench', path)).href)) as Module;
  // Each build has its own schema, filled with the same rows: longer orders would cost more.
  const their = {
    ...(await builtAt<{ migrate: typeof migrate }>('src/platform/database/migrate.js')),
    ...(await builtAt<{ createNewDatabase: typeof createNewDatabase }>('bench/database/bench-database.js')),
    ...(await builtAt<{ signIn: typeof signIn }>('test/support/sign-in.js')),
  };
  const migrated = (name: string) => bench.postgres.createDatabase(name, their.migrate);
  const ours = await filled(await createNewDatabase(bench.postgres, 'this_build', PRODUCTS));
  const theirs = await filled(
    await their.createNewDatabase({ createDatabase: migrated }, 'other_build', PRODUCTS),
  );
  const builds = [
    { database: ours, enter: signIn, script: undefined },
    {
      database: theirs,
      enter: their.signIn,
      script: join(root, 'dist/src/main.js'),
    },
  ];
  const turns: Record<string, Turn[][]> = {};
  for (let start = 0; start < (bench.options.quick ? 2 : STARTS); start++) {
    const isOtherFirst = start % 2 === 1;
    const contenders = [];
    for (const { database, enter, script } of isOtherFirst ? builds.toReversed() : builds) {
      const server = await bench.service(database, {}, script);
      contenders.push({ server, loads: await loadsOf(database, server, enter) });
    }
    const [first, second] = contenders as [Contending, Contending];
    for (const work of Object.keys(first.loads)) {
      const of = ({ server, loads }: Contending) => ({ server, load: loads[work]! });
      const taken = await takeTurns(bench, of(first), of(second));
      (turns[work] ??= []).push(
        isOtherFirst ? taken.map((turn) => ({ ours: turn.other, other: turn.ours })) : taken,
      );
    }
    await bench.stopServers();
  }
  await ours.pool.end();
  await theirs.pool.end();
  return Object.entries(turns).map(([work, starts]): Finding => {
    const by = work.startsWith('order of') ? 'rate' : 'cost';
    const result = finding(work, comparisonOf(starts.flat()), 'other build', by, AIM);
    const ratios = starts.map((taken) => comparisonOf(taken)[by].toFixed(2)).toSorted();
    return { ...result, against: `${result.against}; each start: ${ratios.join(', ')}` };
  });
}

interface Contending {
  server: ServerProcess;
  loads: Record<string, Load>;
}

async function filled(database: BenchDatabase): Promise<BenchDatabase> {
  await fillDatabase(database, WEEKS);
  return database;
}

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

async function dailyLoads(...[database, server, enter]: Parameters<LoadsOf>): Promise<Record<string, Load>> {
  const { pool, store } = database;
  const { cookie } = await enter({ pool, url: '' }, store.clientId);
  return {
    ...(await pollsOf(database, server)),
    "dashboard's list of orders": reads({ Cookie: cookie }, ['/dashboard/orders'], 8),
    'order of two lines, 1 client': orders(database, 1),
    'order of two lines, 32 clients': orders(database, 32),
    'order of one SKU, 128 clients': hotOrders(database, 128),
  };
}
