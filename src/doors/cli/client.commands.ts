import type {
  ClientDescribed,
  ClientListed,
  ClientShown,
} from '../../clients/client-administration.service.js';
import type { Account } from '../../orders/records/order-desk.repository.js';
import { stateName } from '../../tax/gstin.js';
import { table } from './answer.js';
import { type CliCommand, readEnd, readStart } from './command.js';
import { describeLink } from './person.commands.js';

export function addClientCommands(program: CliCommand): void {
  const client = program.group('client', 'clients: the stores that buy');

  client
    .add('add', 'Adds a client with a subscription, a token and an invited owner. Shows the token only now.')
    .requiredOption('--name <name>', 'the name of the store')
    .requiredOption('--email <address>', 'the e-mail address of its owner')
    .requiredOption('--domain <domain>', 'the domain of the token, such as store.example.com')
    .requiredOption('--plan <code>', 'the plan of the subscription')
    .option('--from <date>', 'when the subscription starts (now)', readStart)
    .requiredOption('--until <date>', 'when it ends; a date includes that day', readEnd)
    .option('--force', 'even if another client has this name, address or domain')
    .by()
    .does(async ({ newClients }, { force, by, ...given }) => {
      const added = await newClients.add(given, by, { force });
      const terms = `plan ${added.plan} until ${added.until}`;
      const token = `Domain: ${added.domain}\nToken:  ${added.token}\n`;
      const keep = 'Keep the token now: it is not shown again.\n';
      const text = `Added client ${added.client_id}, ${terms}.\n${token}${keep}`;
      return { json: added, text: `${text}\n${describeOwner(given.email, added.owner)}` };
    });

  client
    .add('list', 'Lists the clients with their subscriptions, balances and unpaid orders.')
    .listed()
    .lists(
      'No clients.',
      async ({ clients, orders }) => withAccounts(await clients.list(), await orders.accounts()),
      inOneRow,
    );

  client
    .add('show', 'Shows a client with its tokens and its subscription.')
    .forClient()
    .does(async ({ clients, orders, tokens }, id) => {
      const described = { ...(await clients.show(id)), tokens: await tokens.list(id) };
      const shown = withAccounts([described], await orders.accounts([id]))[0]!;
      const upcoming = shown.upcoming
        .map(({ plan, from, until }) => `Next: plan ${plan} from ${from} until ${until}.\n`)
        .join('');
      const facts = [
        table([inOneRow(shown)]),
        upcoming,
        limitsOf(shown),
        zoneOf(shown),
        billingOf(shown),
        domainsOf(shown),
      ].join('');
      return { json: shown, text: (zone) => `${facts}\n${table(shown.tokens, undefined, zone)}` };
    });

  client
    .add(
      'set',
      'Changes the name, the e-mail address, the limits, the time zone or the tax data of a client.',
    )
    .forClient()
    .option('--name <name>', 'the name of the store')
    .option('--email <address>', 'the e-mail address of its owner')
    .option(
      '--unpaid-value-limit <amount>',
      'the limit of the total of its unpaid orders; or none, or default',
    )
    .option(
      '--unpaid-orders-limit <count>',
      'the limit of the number of its unpaid orders; or none, or default',
    )
    .option('--time-zone <zone>', 'the time zone of its pages and files, such as Europe/Berlin; or default')
    .option('--gstin <gstin>', 'its GSTIN, which also sets its state; an empty text removes it')
    .option('--state <state>', 'its state for GST, by name or code; an empty text removes it')
    .option('--billing-address <address>', 'its address on invoices; an empty text removes it')
    .by()
    .does(async ({ clients }, id, { by, ...change }) => {
      const set = await clients.set(id, change, by);
      return {
        json: set,
        text: `Client ${id} is ${set.name}, ${set.email}.\n${limitsOf(set)}${zoneOf(set)}${billingOf(set)}`,
      };
    });

  client
    .add('allow-domain', 'Lets the owners of a client make tokens for a domain.')
    .forClient()
    .argument('<domain>', 'such as store.example.com')
    .option('--force', 'even if it is a domain of another client')
    .by()
    .does(async ({ domains }, id, domain, { force, by }) => {
      const allowed = await domains.allow(id, domain, by, { force });
      return { json: allowed, text: `Client ${id} may make tokens for ${allowed.domain}.\n` };
    });

  client
    .add(
      'disallow-domain',
      'Stops new tokens for a domain. Existing tokens stay valid until they are revoked.',
    )
    .forClient()
    .argument('<domain>', 'such as store.example.com')
    .by()
    .does(async ({ domains }, id, domain, { by }) => {
      const disallowed = await domains.disallow(id, domain, by);
      const left = disallowed.token_ids.join(', ');
      const note = left === '' ? '' : `Still valid for it: token ${left}. See \`token revoke\`.\n`;
      return { json: disallowed, text: `Client ${id} may make no tokens for ${disallowed.domain}.\n${note}` };
    });

  client
    .add('suspend', 'Refuses all tokens of a client until it is resumed.')
    .forClient()
    .by()
    .does(async ({ clients }, id, { by }) => ({
      json: await clients.suspend(id, by),
      text: `Client ${id} is suspended.\n`,
    }));

  client
    .add('resume', 'Ends the suspension of a client.')
    .forClient()
    .by()
    .does(async ({ clients }, id, { by }) => ({
      json: await clients.resume(id, by),
      text: `Client ${id} is not suspended.\n`,
    }));
}

function describeOwner(email: string, owner: { url: string; mailed: boolean } | null): string {
  return owner
    ? `Invited ${email} as its owner.\n${describeLink(owner.url, owner.mailed)}`
    : `No one was invited: ${email} signs in for another client. See "person invite".\n`;
}

function domainsOf({ allowed_domains: allowed }: ClientDescribed): string {
  return `Its owners may make tokens for: ${allowed.join(', ') || 'no domain'}.\n`;
}

function limitsOf({ unpaid_value_limit: value, unpaid_orders_limit: orders }: ClientShown): string {
  const told = (limit: number | null) => (limit === null ? 'as in the settings' : limit || 'none');
  return `Limit of unpaid value: ${told(value)}. Limit of unpaid orders: ${told(orders)}.\n`;
}

function zoneOf({ time_zone: zone }: ClientShown): string {
  return `Time zone: ${zone ?? 'as in the settings'}.\n`;
}

/** Nothing while the client has no tax data. */
function billingOf({ gstin, state, billing_address }: ClientShown): string {
  if (gstin === null && state === null && billing_address === null) return '';
  const place = state === null ? 'not set' : stateName(state);
  return `GSTIN: ${gstin ?? 'none'}. State: ${place}. Billing address: ${billing_address ?? 'not set'}.\n`;
}

function withAccounts<Shown extends ClientShown>(clients: Shown[], accounts: Account[]): (Shown & Account)[] {
  const byClient = new Map(accounts.map((account) => [account.client_id, account]));
  return clients.map((client) => ({ ...client, ...byClient.get(client.client_id)! }));
}

function inOneRow({ client_id, name, email, domains, suspended_at, ...client }: ClientListed & Account) {
  const { subscription, balance, unpaid_orders, unpaid_total } = client;
  const served = subscription?.active ? 'active' : 'no active subscription';
  return {
    client_id,
    name,
    email,
    domains: domains.join(' '),
    plan: subscription?.plan ?? null,
    until: subscription?.until ?? null,
    state: suspended_at ? 'suspended' : served,
    balance,
    unpaid_orders,
    unpaid_total,
  };
}
