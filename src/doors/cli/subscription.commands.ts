import type { Cli } from './cli.js';
import { operator } from './operator.js';
import { CLIENT, readActor, readEnd, readStart } from './option-values.js';

export function addSubscriptionCommands(cli: Cli): void {
  const subscription = cli.group('subscription', 'subscriptions: which plan a client has, and how long');

  cli
    .command(
      subscription,
      'set',
      'Makes this the subscription of a client from its start on; what ran until then ends.',
    )
    .argument('<client>', CLIENT)
    .requiredOption('--plan <code>', 'the plan')
    .option('--from <date>', 'when it starts (now; the same plan goes on)', readStart)
    .requiredOption('--until <date>', 'when it ends; a date includes that day (UTC)', readEnd)
    .option('--by <name>', 'who does it', readActor, operator())
    .action((client: string, { by, ...options }: { plan: string; from?: Date; until: Date; by: string }) =>
      cli.runFor(client, async ({ subscriptions }, id) => {
        const set = await subscriptions.set(id, options, by);
        return {
          json: set,
          text: `Client ${id} has plan ${set.plan} from ${set.from} until ${set.until}.\n`,
        };
      }),
    );

  cli
    .command(subscription, 'end', 'Ends the subscription of a client now, and drops what was to come.')
    .argument('<client>', CLIENT)
    .option('--by <name>', 'who does it', readActor, operator())
    .action((client: string, { by }: { by: string }) =>
      cli.runFor(client, async ({ subscriptions }, id) => ({
        json: await subscriptions.end(id, by),
        text: `The subscription of client ${id} has ended.\n`,
      })),
    );
}
