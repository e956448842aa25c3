import type { TokenListed } from '../../auth/tokens/token-administration.js';
import type { Cli } from './cli.js';
import { operator } from './operator.js';
import { CLIENT, readActor, readId } from './option-values.js';
import { table } from './table.js';

interface IssueOptions {
  domain: string;
  name?: string;
  force?: boolean;
  by: string;
}

export function addTokenCommands(cli: Cli): void {
  const token = cli.group('token', 'tokens: how a store proves who it is');

  cli
    .command(token, 'issue', 'Issues another token to a client. It is shown this once.')
    .argument('<client>', CLIENT)
    .requiredOption(
      '--domain <domain>',
      'the domain that the token is registered to, such as store.example.com; the client is allowed it from then on',
    )
    .option('--name <name>', 'what the token is called')
    .option('--force', 'even if it is a domain of another client')
    .option('--by <name>', 'who does it', readActor, operator())
    .action((client: string, { domain, by, ...options }: IssueOptions) =>
      cli.runFor(client, async ({ tokens }, id) => {
        const issued = await tokens.issue(id, domain, by, options);
        const text = `Issued token ${issued.token_id} for ${issued.domain}:\n${issued.token}\nKeep it now: it is not shown again.\n`;
        return { json: issued, text };
      }),
    );

  cli
    .command(token, 'revoke', 'Has a token refused from now on, for good.')
    .argument('<token-id>', 'the number of the token, as `token list` shows it', readId)
    .option('--by <name>', 'who does it', readActor, operator())
    .action((id: number, { by }: { by: string }) =>
      cli.run(async ({ tokens }) => {
        const revoked = await tokens.revoke(id, by);
        return { json: revoked, text: `Token ${id} (${revoked.prefix}…, ${revoked.domain}) is revoked.\n` };
      }),
    );

  cli
    .command(token, 'list', 'Lists the tokens of a client.')
    .argument('<client>', CLIENT)
    .action((client: string) =>
      cli.runFor(client, async ({ tokens }, id) => {
        const listed = await tokens.list(id);
        return { json: listed, text: tokenTable(listed) };
      }),
    );
}

export function tokenTable(tokens: TokenListed[]): string {
  return table(tokens, [
    'token_id',
    'name',
    'prefix',
    'domain',
    'created_at',
    'last_used_at',
    'ends_at',
    'revoked_at',
  ]);
}
