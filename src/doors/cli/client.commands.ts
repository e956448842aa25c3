import type { ClientChange, ClientListed, ClientShown } from '../../auth/clients/client-administration.js';
import type { Cli } from './cli.js';
import { readEnd, readId, readStart } from './option-values.js';
import { table } from './table.js';

interface AddOptions {
  name: string;
  email: string;
  domain: string;
  plan: string;
  from?: Date;
  until: Date;
}

export function addClientCommands(cli: Cli): void {
  const client = cli.group('client', 'clients: the stores that buy');

  cli
    .command(client, 'add', 'Adds a client with a subscription and a token, which is shown this once.')
    .requiredOption('--name <name>', 'the name of the store')
    .requiredOption('--email <address>', 'where its owner is reached')
    .requiredOption(
      '--domain <domain>',
      'the domain that the token is registered to, such as store.example.com',
    )
    .requiredOption('--plan <code>', 'the plan that it subscribes to')
    .option('--from <date>', 'when the subscription starts (now)', readStart)
    .requiredOption('--until <date>', 'when it ends; a date includes that day (UTC)', readEnd)
    .action((options: AddOptions) =>
      cli.run(async ({ clients }) => {
        const added = await clients.add(options);
        const terms = `plan ${added.plan} until ${added.until}`;
        const text = `Added client ${added.client_id}, ${terms}.\nDomain: ${added.domain}\nToken:  ${added.token}\nKeep the token now: it is not shown again.\n`;
        return { json: added, text };
      }),
    );

  cli.command(client, 'list', 'Lists the clients with their subscriptions.').action(() =>
    cli.run(async ({ clients }) => {
      const listed = await clients.list();
      return {
        json: listed,
        text: table(listed.map(inOneRow), ['client_id', 'name', 'email', 'plan', 'until', 'state']),
      };
    }),
  );

  cli
    .command(client, 'show', 'Shows a client with its tokens and its subscription.')
    .argument('<id>', 'the client', readId)
    .action((id: number) =>
      cli.run(async ({ clients }) => {
        const shown = await clients.show(id);
        const facts = table([inOneRow(shown)], ['client_id', 'name', 'email', 'plan', 'until', 'state']);
        const tokens = table(shown.tokens, [
          'token_id',
          'prefix',
          'domain',
          'created_at',
          'last_used_at',
          'revoked_at',
        ]);
        return { json: shown, text: `${facts}${limitsOf(shown)}\n${tokens}` };
      }),
    );

  cli
    .command(client, 'set', 'Changes the name, the e-mail address or the limits of a client.')
    .argument('<id>', 'the client', readId)
    .option('--name <name>', 'the name of the store')
    .option('--email <address>', 'where its owner is reached')
    .option('--unpaid-value-limit <amount>', 'what its unpaid orders may come to; or none, or default')
    .option('--unpaid-orders-limit <count>', 'how many unpaid orders it may have; or none, or default')
    .action((id: number, options: ClientChange) =>
      cli.run(async ({ clients }) => {
        const set = await clients.set(id, options);
        return { json: set, text: `Client ${id} is ${set.name}, ${set.email}.\n${limitsOf(set)}` };
      }),
    );

  cli
    .command(client, 'suspend', 'Has all tokens of a client refused until it is resumed.')
    .argument('<id>', 'the client', readId)
    .action((id: number) =>
      cli.run(async ({ clients }) => ({
        json: await clients.suspend(id),
        text: `Client ${id} is suspended.\n`,
      })),
    );

  cli
    .command(client, 'resume', 'Ends the suspension of a client.')
    .argument('<id>', 'the client', readId)
    .action((id: number) =>
      cli.run(async ({ clients }) => ({
        json: await clients.resume(id),
        text: `Client ${id} is not suspended.\n`,
      })),
    );
}

function limitsOf({ unpaid_value_limit: value, unpaid_orders_limit: orders }: ClientShown): string {
  const told = (limit: number | null) => (limit === null ? 'as in the settings' : limit || 'none');
  return `Limit of unpaid value: ${told(value)}. Limit of unpaid orders: ${told(orders)}.\n`;
}

function inOneRow({ client_id, name, email, suspended_at, subscription }: ClientListed) {
  const served = subscription?.active ? 'active' : 'no active subscription';
  return {
    client_id,
    name,
    email,
    plan: subscription?.plan ?? null,
    until: subscription?.until ?? null,
    state: suspended_at ? 'suspended' : served,
  };
}
