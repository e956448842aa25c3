import type {
  ClientChange,
  ClientDescribed,
  ClientListed,
  ClientShown,
} from '../../auth/clients/client-administration.js';
import type { Cli } from './cli.js';
import { describeLink } from './describe-link.js';
import { addListOptions, firstOf, limitOf, listAnswer, type ListOptions } from './list-command.js';
import { operator } from './operator.js';
import { CLIENT, readActor, readEnd, readStart } from './option-values.js';
import { table } from './table.js';
import { tokenTable } from './token.commands.js';

interface AddOptions {
  name: string;
  email: string;
  domain: string;
  plan: string;
  from?: Date;
  until: Date;
  force?: boolean;
  by: string;
}

const DOMAIN = 'such as store.example.com';

export function addClientCommands(cli: Cli): void {
  const group = cli.group('client', 'clients: the stores that buy');

  cli
    .command(
      group,
      'add',
      'Adds a client with a subscription, a token and the invitation of its first owner, which are shown this once.',
    )
    .requiredOption('--name <name>', 'the name of the store')
    .requiredOption('--email <address>', 'where its owner is reached')
    .requiredOption(
      '--domain <domain>',
      'the domain that the token is registered to, such as store.example.com',
    )
    .requiredOption('--plan <code>', 'the plan that it subscribes to')
    .option('--from <date>', 'when the subscription starts (now)', readStart)
    .requiredOption('--until <date>', 'when it ends; a date includes that day (UTC)', readEnd)
    .option('--force', 'even if there is such a client already, or one at this domain')
    .option('--by <name>', 'who does it', readActor, operator())
    .action(({ force, by, ...client }: AddOptions) =>
      cli.run(async ({ clients }) => {
        const added = await clients.add(client, by, { force });
        const terms = `plan ${added.plan} until ${added.until}`;
        const token = `Domain: ${added.domain}\nToken:  ${added.token}\nKeep the token now: it is not shown again.\n`;
        const text = `Added client ${added.client_id}, ${terms}.\n${token}\n${describeOwner(client.email, added.owner)}`;
        return { json: added, text };
      }),
    );

  addListOptions(cli.command(group, 'list', 'Lists the clients with their subscriptions.')).action(
    (options: ListOptions) =>
      cli.run(async ({ clients }) =>
        listAnswer(firstOf(await clients.list(), limitOf(options)), COLUMNS, 'No clients.', inOneRow),
      ),
  );

  cli
    .command(group, 'show', 'Shows a client with its tokens and its subscription.')
    .argument('<client>', CLIENT)
    .action((client: string) =>
      cli.runFor(client, async ({ clients }, id) => {
        const shown = await clients.show(id);
        const facts = table([inOneRow(shown)], COLUMNS);
        const upcoming = shown.upcoming
          .map(({ plan, from, until }) => `To come: plan ${plan} from ${from} until ${until}.\n`)
          .join('');
        return {
          json: shown,
          text: `${facts}${upcoming}${limitsOf(shown)}${domainsOf(shown)}\n${tokenTable(shown.tokens)}`,
        };
      }),
    );

  cli
    .command(group, 'set', 'Changes the name, the e-mail address or the limits of a client.')
    .argument('<client>', CLIENT)
    .option('--name <name>', 'the name of the store')
    .option('--email <address>', 'where its owner is reached')
    .option('--unpaid-value-limit <amount>', 'what its unpaid orders may come to; or none, or default')
    .option('--unpaid-orders-limit <count>', 'how many unpaid orders it may have; or none, or default')
    .option('--by <name>', 'who does it', readActor, operator())
    .action((client: string, { by, ...change }: ClientChange & { by: string }) =>
      cli.runFor(client, async ({ clients }, id) => {
        const set = await clients.set(id, change, by);
        return { json: set, text: `Client ${id} is ${set.name}, ${set.email}.\n${limitsOf(set)}` };
      }),
    );

  cli
    .command(group, 'allow-domain', 'Lets the owners of a client make tokens for a domain.')
    .argument('<client>', CLIENT)
    .argument('<domain>', DOMAIN)
    .option('--force', 'even if it is a domain of another client')
    .option('--by <name>', 'who does it', readActor, operator())
    .action((client: string, domain: string, { force, by }: { force?: boolean; by: string }) =>
      cli.runFor(client, async ({ domains }, id) => {
        const allowed = await domains.allow(id, domain, by, { force });
        return { json: allowed, text: `Client ${id} may make tokens for ${allowed.domain}.\n` };
      }),
    );

  cli
    .command(
      group,
      'disallow-domain',
      'Lets no token more be made for a domain; those that there are stay good until they are revoked.',
    )
    .argument('<client>', CLIENT)
    .argument('<domain>', DOMAIN)
    .option('--by <name>', 'who does it', readActor, operator())
    .action((client: string, domain: string, { by }: { by: string }) =>
      cli.runFor(client, async ({ domains }, id) => {
        const disallowed = await domains.disallow(id, domain, by);
        const left = disallowed.token_ids.join(', ');
        const note = left === '' ? '' : `Still good for it: token ${left}. See \`token revoke\`.\n`;
        return {
          json: disallowed,
          text: `Client ${id} may make no tokens for ${disallowed.domain}.\n${note}`,
        };
      }),
    );

  cli
    .command(group, 'suspend', 'Has all tokens of a client refused until it is resumed.')
    .argument('<client>', CLIENT)
    .option('--by <name>', 'who does it', readActor, operator())
    .action((client: string, { by }: { by: string }) =>
      cli.runFor(client, async ({ clients }, id) => ({
        json: await clients.suspend(id, by),
        text: `Client ${id} is suspended.\n`,
      })),
    );

  cli
    .command(group, 'resume', 'Ends the suspension of a client.')
    .argument('<client>', CLIENT)
    .option('--by <name>', 'who does it', readActor, operator())
    .action((client: string, { by }: { by: string }) =>
      cli.runFor(client, async ({ clients }, id) => ({
        json: await clients.resume(id, by),
        text: `Client ${id} is not suspended.\n`,
      })),
    );
}

function describeOwner(email: string, owner: { url: string; mailed: boolean } | null): string {
  return owner
    ? `Invited ${email} as its owner.\n${describeLink(owner.url, owner.mailed)}`
    : `Nobody is invited: ${email} signs in for another client. See "person invite".\n`;
}

function domainsOf({ allowed_domains: allowed }: ClientDescribed): string {
  return `Its owners may make tokens for: ${allowed.join(', ') || 'no domain'}.\n`;
}

function limitsOf({ unpaid_value_limit: value, unpaid_orders_limit: orders }: ClientShown): string {
  const told = (limit: number | null) => (limit === null ? 'as in the settings' : limit || 'none');
  return `Limit of unpaid value: ${told(value)}. Limit of unpaid orders: ${told(orders)}.\n`;
}

const COLUMNS = ['client_id', 'name', 'email', 'domains', 'plan', 'until', 'state'] as const;

function inOneRow({ client_id, name, email, domains, suspended_at, subscription }: ClientListed) {
  const served = subscription?.active ? 'active' : 'no active subscription';
  return {
    client_id,
    name,
    email,
    domains: domains.join(' '),
    plan: subscription?.plan ?? null,
    until: subscription?.until ?? null,
    state: suspended_at ? 'suspended' : served,
  };
}
