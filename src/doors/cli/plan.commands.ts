import type { Cli } from './cli.js';
import { operator } from './operator.js';
import { readActor } from './option-values.js';
import { table } from './table.js';

export function addPlanCommands(cli: Cli): void {
  const plan = cli.group('plan', 'plans: the discount that a subscription gives');

  cli
    .command(plan, 'set <code>', 'Creates a plan, or changes what is given of it.')
    .option('--name <name>', 'what people call it (a new plan: its code)')
    .option('--discount <percent>', 'off the base prices, 0 to 100 with up to 2 decimals (a new plan: 0)')
    .option('--by <name>', 'who does it', readActor, operator())
    .action((code: string, { by, ...options }: { name?: string; discount?: string; by: string }) =>
      cli.run(async ({ plans }) => {
        const set = await plans.set(code, options, by);
        const text = `${set.created ? 'Created' : 'Changed'} plan ${set.code} (${set.name}): ${set.discount} % off.\n`;
        return { json: set, text };
      }),
    );

  cli.command(plan, 'list', 'Lists the plans.').action(() =>
    cli.run(async ({ subscriptions }) => {
      const listed = await subscriptions.plans();
      const text = table(listed, ['code', 'name', 'discount', 'fixed_prices', 'active_subscriptions']);
      return { json: listed, text };
    }),
  );
}
