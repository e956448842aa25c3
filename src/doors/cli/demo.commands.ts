import type { Cli } from './cli.js';
import { operator } from './operator.js';
import { readCount } from './option-values.js';
import { showProgress } from './show-progress.js';

const FILLS_DATABASE = { mayMakeDatabase: true };

export function addDemoCommands(cli: Cli): void {
  const demo = cli.group('demo', 'made-up data, for trying and measuring');

  cli
    .command(demo, 'load', 'Loads a made-up catalog of any size, with stock. Other products stay.')
    .requiredOption('--products <n>', 'how many products', readCount)
    .action(({ products }: { products: number }) =>
      cli.run(async ({ demo: synthetic }) => {
        const progress = showProgress(cli.surroundings);
        const loaded = await synthetic.load(products, {
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
}
