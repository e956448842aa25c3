import {
  CLIENT_FIELDS,
  CLIENT_NAMES,
  clientAnswer,
  clientNames,
  type ClientValues,
  clientWords,
  hasTaxData,
  TAX_NAMES,
} from '../modules/clients/client-fields.js';
import { toAccountAnswer } from '../modules/orders/records/client-account.js';
import { TOKEN_KINDS } from '../platform/access/token-kind.js';
import { inSnakeCase } from '../platform/snake-case.js';
import { plainTime, type TimeZone } from '../platform/time/time.js';
import { pickTexts } from '../platform/validation/described-field.js';
import { table } from './answer.js';
import { type CliCommand, readEnd, readId, readStart } from './command.js';
import { describeLink } from './person.commands.js';

export function addClientCommands(program: CliCommand): void {
  const client = program.group('client', 'clients: the stores that buy');

  client
    .add(
      'add',
      'Adds a client with a subscription, an invited owner and, for a domain, a token, which is shown once.',
    )
    .requiredOption('--name <name>', 'the name of the store')
    .requiredOption('--email <address>', 'the e-mail address of its owner')
    .option('--domain <domain>', 'the domain of its token, such as store.example.com; without one, no token')
    .requiredOption('--plan <code>', 'the plan of the subscription')
    .option('--from <date>', 'when the subscription starts (now)', readStart)
    .requiredOption('--until <date>', 'when it ends; a date includes that day', readEnd)
    .fields(CLIENT_FIELDS, TAX_NAMES)
    .option('--force', 'even if another client has this name, address or domain')
    .by()
    .does(async ({ newClients, clients, sellers }, { force, by, ...input }) => {
      const added = await newClients.add({ ...input, ...pickTexts(TAX_NAMES, input) }, by, { force });
      const lacked = await sellers.missingDataOf(await clients.find(added.clientId));
      const terms = `plan ${added.plan} until ${added.until}`;
      const token =
        added.token === undefined
          ? 'It has no token: enter its orders at the desk.\n'
          : `Domain: ${added.domain}\nToken:  ${added.token}\nKeep the token now: it is not shown again.\n`;
      const text = `Added client ${added.clientId}, ${terms}.\n${token}`;
      const tax = lacked === undefined ? '' : `\n${beforeParcels(added.clientId, lacked)}`;
      return { json: inSnakeCase(added), text: `${text}\n${describeOwner(input.email, added.owner)}${tax}` };
    });

  client
    .add('list', 'Lists the clients with their subscriptions, balances and unpaid orders.')
    .withLimit()
    .lists(
      'No clients.',
      async ({ clients, orders }) => {
        const accounts = await orders.accounts();
        return (await clients.list()).map((item) => toAccountAnswer(item, accounts.get(item.id)!));
      },
      inOneRow,
    );

  client
    .add('show', 'Shows a client with its tokens and its subscription.')
    .forClient()
    .does(async ({ clients, orders, tokens: allTokens, ...settings }, id) => {
      const described = await clients.show(id);
      const { upcoming, allowedDomains } = described;
      const tokens = await allTokens.list(id);
      const account = (await orders.accounts([id])).get(id)!;
      const view = toAccountAnswer(described, account, { upcoming, allowedDomains, tokens });
      const text = (zone: TimeZone) =>
        [
          table([inOneRow(view)]),
          ...upcoming.map(
            ({ plan, from, until }) =>
              `Next: plan ${plan} from ${plainTime(new Date(from), zone)} until ${until}.\n`,
          ),
          factsOf(described, settings),
          `Its owners may make tokens for: ${allowedDomains.join(', ') || 'no domain'}.\n`,
          `\n${table(tokens, undefined, zone)}`,
        ].join('');
      return { json: view, text };
    });

  client
    .add(
      'set',
      'Changes the name, the e-mail address, the limits, the time zone or the tax data of a client.',
    )
    .forClient()
    .fields(CLIENT_FIELDS, CLIENT_NAMES)
    .by()
    .does(async ({ clients, ...settings }, id, { by, ...options }) => {
      const set = await clients.set(id, pickTexts(CLIENT_NAMES, options), by);
      const text = `Client ${id} is ${set.name}, ${set.email}.\n${factsOf(set, settings)}`;
      return { json: clientAnswer(set), text };
    });

  client
    .add('allow-domain', 'Lets the owners of a client make tokens for a domain.')
    .forClient()
    .argument('<domain>', 'such as store.example.com')
    .option('--force', 'even if it is a domain of another client')
    .by()
    .does(async ({ domains }, id, domain, { force, by }) => {
      const allowed = await domains.allow(id, domain, by, { force });
      return { json: inSnakeCase(allowed), text: `Client ${id} may make tokens for ${allowed.domain}.\n` };
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
      const left = disallowed.tokenIds.join(', ');
      const note = left === '' ? '' : `Still valid for it: token ${left}. See \`token revoke\`.\n`;
      return {
        json: inSnakeCase(disallowed),
        text: `Client ${id} may make no tokens for ${disallowed.domain}.\n${note}`,
      };
    });

  client
    .add('suspend', 'Refuses all tokens of a client until it is resumed.')
    .forClient()
    .by()
    .does(async ({ clients }, id, { by }) => ({
      json: clientAnswer(await clients.suspend(id, by)),
      text: `Client ${id} is suspended.\n`,
    }));

  client
    .add('resume', 'Ends the suspension of a client.')
    .forClient()
    .by()
    .does(async ({ clients }, id, { by }) => ({
      json: clientAnswer(await clients.resume(id, by)),
      text: `Client ${id} is no longer suspended.\n`,
    }));
}

function describeOwner(email: string, owner: { url: string; mailed: boolean } | null): string {
  return owner
    ? `Invited ${email} as its owner.\n${describeLink(owner.url, owner.mailed)}`
    : `No one was invited: ${email} signs in for another client. See "person invite".\n`;
}

const beforeParcels = (id: number, lacked: string) =>
  `Its invoices need its ${lacked}. Set them with "client set ${id}", or its parcels are refused.\n`;

/** The fields of a client. Tax data only if there is any. */
function factsOf(client: ClientValues, settings: Parameters<typeof clientWords>[1]): string {
  const words = clientWords(client, settings);
  const names = clientNames(hasTaxData(client)).filter((name) => name !== 'name' && name !== 'email');
  return names.map((name) => `${CLIENT_FIELDS[name].label}: ${words(name)}\n`).join('');
}

function inOneRow(client: ReturnType<typeof toAccountAnswer>) {
  const { client_id, name, email, domains, subscription, suspended_at } = client;
  const { balance, unpaid_orders, unpaid_total } = client;
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

export function addTokenCommands(program: CliCommand): void {
  const token = program.group('token', 'tokens: the secrets with which stores use the API');

  token
    .add('issue', 'Issues another token to a client. It is shown only once.')
    .forClient()
    .requiredOption(
      '--domain <domain>',
      'the domain of the token, such as store.example.com; allows it to the client',
    )
    .choice('--kind <kind>', 'what it may do: everything, only read, or place test orders', TOKEN_KINDS)
    .option('--name <name>', 'the name of the token')
    .option('--force', 'even if it is a domain of another client')
    .by()
    .does(async ({ tokens }, id, { domain, by, ...options }) => {
      const issued = await tokens.issue(id, domain, by, options);
      const what = `Issued token ${issued.token_id} for ${issued.domain}:\n${issued.token}\n`;
      return { json: issued, text: `${what}Keep it now: it is not shown again.\n` };
    });

  token
    .add('revoke', 'Refuses a token from now on. This cannot be undone.')
    .argument('<token-id>', 'the number of the token, as `token list` shows it', readId)
    .by()
    .does(async ({ tokens }, id, { by }) => {
      const revoked = await tokens.revoke(id, by);
      return { json: revoked, text: `Token ${id} (${revoked.prefix}…, ${revoked.domain}) is revoked.\n` };
    });

  token
    .add('list', 'Lists the tokens of a client.')
    .forClient()
    .lists('No tokens.', ({ tokens }, id) => tokens.list(id));
}
