import type { RealThings } from '../../demo/demo-unload.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import type { Cli } from './cli.js';
import { confirm } from './confirm.js';
import { operator } from './operator.js';
import { readCount } from './option-values.js';
import type { Services } from './services.js';
import { showProgress } from './show-progress.js';
import type { Surroundings } from './surroundings.js';

const FILLS_DATABASE = { mayMakeDatabase: true };

export function addDemoCommands(cli: Cli): void {
  const demo = cli.group('demo', 'made-up data, for trying and measuring');

  cli
    .command(demo, 'load', 'Loads a made-up catalog of any size, with stock. Other products stay.')
    .requiredOption('--products <n>', 'how many products', readCount)
    .option('--yes', 'do not ask, even if the database holds real things')
    .action(({ products, yes }: { products: number; yes?: boolean }) =>
      cli.run(async (services) => {
        if (!yes) await checkReal(services, cli.surroundings);
        const progress = showProgress(cli.surroundings);
        const loaded = await services.demo.load(products, {
          actor: operator(),
          onProgress: progress.show,
        });
        progress.end();
        const { created, updated, unchanged } = loaded.products;
        return {
          json: loaded,
          text: `Products: ${created} created, ${updated} updated, ${unchanged} unchanged.\n`,
        };
      }, FILLS_DATABASE),
    );

  cli
    .command(
      demo,
      'unload',
      'Withdraws what a demo has made, and nothing else: its products are deactivated, its store is suspended.',
    )
    .action(() =>
      cli.run(async ({ demoUnload }) => {
        const unloaded = await demoUnload.unload();
        const { deactivated, store_suspended: suspended } = unloaded;
        const store = suspended ? ' The demo’s store is suspended; its plans stay.' : '';
        return {
          json: unloaded,
          text: `Products: ${deactivated} deactivated.${store}\n`,
        };
      }),
    );
}

/** Nobody wants made-up products among those that are sold. */
async function checkReal({ demoUnload }: Services, surroundings: Surroundings): Promise<void> {
  const real = await demoUnload.realThings();
  if (Object.values(real).every((count) => count === 0)) return;
  const holds = `This database holds real things: ${listed(real)}.`;
  if (await confirm(surroundings, `${holds} Load made-up products into it?`)) return;
  throw new DomainError('conflict', `${holds} Nothing was loaded; --yes loads it all the same.`);
}

function listed({ clients, products, orders }: RealThings): string {
  return `${clients} clients, ${products} products, ${orders} orders`;
}
