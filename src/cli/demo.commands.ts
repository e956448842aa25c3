import { countOf } from '../platform/formats.js';
import { type CliCommand, operatorName, readCount } from './command.js';
import type { Services } from './services.js';
import { showProgress } from './terminal.js';

export function addDemoCommands(program: CliCommand): void {
  const demo = program.group('demo', 'sample data, for trials and measurements');

  demo
    .add('load', 'Loads a sample catalog of any size, with stock. Other products stay.')
    .requiredOption('--products <n>', 'how many products', readCount)
    .option('--yes', 'do not ask, even if the database holds real data')
    .does(
      async (services, { products, yes }) => {
        // Before a question, whose "yes" would not help.
        services.demo.refuseInProduction();
        if (!yes) await confirmRealData(demo, services);
        const progress = showProgress(demo.runner.environment);
        const loaded = await services.demo.load(products, {
          actor: operatorName(),
          onProgress: progress.show,
        });
        progress.end();
        const { created, updated, unchanged } = loaded.products;
        const text = `Products: ${created} created, ${updated} updated, ${unchanged} unchanged.\n`;
        return { json: loaded, text };
      },
      { mayMakeDatabase: true },
    );

  demo
    .add('unload', 'Deactivates the products of a demo and suspends its store. All other data stays.')
    .does(async ({ demoUnload }) => {
      const unloaded = await demoUnload.unload();
      const store = unloaded.store_suspended ? ' The demo’s store is suspended; its plans stay.' : '';
      return { json: unloaded, text: `Products: ${unloaded.deactivated} deactivated.${store}\n` };
    });
}

async function confirmRealData(demo: CliCommand, { demoUnload }: Services): Promise<void> {
  const { clients, products, orders } = await demoUnload.realThings();
  if (clients + products + orders === 0) return;
  const counts = [
    countOf(clients, 'client', 'clients'),
    countOf(products, 'product', 'products'),
    countOf(orders, 'order', 'orders'),
  ];
  const holds = `This database holds real data: ${counts.join(', ')}.`;
  const refusal = `${holds} Nothing was loaded; --yes loads the sample all the same.`;
  await demo.requireConfirmation(undefined, `${holds} Load sample products into it?`, refusal);
}
