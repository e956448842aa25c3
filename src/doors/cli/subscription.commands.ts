import type { Cli } from './cli.js';
import { readEnd, readId, readStart } from './option-values.js';

export function addSubscriptionCommands(cli: Cli): void {
  const subscription = cli.group('subscription', 'subscriptions: which plan a client has, and how long');

  cli
    .command(
      subscription,
      'set',
      'Makes this the subscription of a client from its start on; what ran until then ends.',
    )
    .argument('<client>', 'the client', readId)
    .requiredOption('--plan <code>', 'the plan')
    .option('--from <date>', 'when it starts (now; the same plan goes on)', readStart)
    .requiredOption('--until <date>', 'when it ends; a date includes that day (UTC)', readEnd)
    .action((client: number, options: { plan: string; from?: Date; until: Date }) =>
      cli.run(async ({ subscriptions }) => {
        const set = await subscriptions.set(client, options);
        return {
          json: set,
          text: `Client ${client} has plan ${set.plan} from ${set.from} until ${set.until}.\n`,
        };
      }),
    );

  cli
    .command(subscription, 'end', 'Ends the subscription of a client now, and drops what was to come.')
    .argument('<client>', 'the client', readId)
    .action((client: number) =>
      cli.run(async ({ subscriptions }) => ({
        json: await subscriptions.end(client),
        text: `The subscription of client ${client} has ended.\n`,
      })),
    );
}
