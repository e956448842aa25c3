import type { Cli } from './cli.js';
import { readId } from './option-values.js';
import { table } from './table.js';

export function addTokenCommands(cli: Cli): void {
  const token = cli.group('token', 'tokens: how a store proves who it is');

  cli
    .command(token, 'issue', 'Issues another token to a client. It is shown this once.')
    .argument('<client>', 'the client', readId)
    .requiredOption(
      '--domain <domain>',
      'the domain that the token is registered to, such as store.example.com',
    )
    .action((client: number, { domain }: { domain: string }) =>
      cli.run(async ({ tokens }) => {
        const issued = await tokens.issue(client, domain);
        const text = `Issued token ${issued.token_id} for ${issued.domain}:\n${issued.token}\nKeep it now: it is not shown again.\n`;
        return { json: issued, text };
      }),
    );

  cli
    .command(token, 'revoke', 'Has a token refused from now on, for good.')
    .argument('<token-id>', 'the number of the token, as `token list` shows it', readId)
    .action((id: number) =>
      cli.run(async ({ tokens }) => {
        const revoked = await tokens.revoke(id);
        return { json: revoked, text: `Token ${id} (${revoked.prefix}…, ${revoked.domain}) is revoked.\n` };
      }),
    );

  cli
    .command(token, 'list', 'Lists the tokens of a client.')
    .argument('<client>', 'the client', readId)
    .action((client: number) =>
      cli.run(async ({ tokens }) => {
        const listed = await tokens.list(client);
        const text = table(listed, [
          'token_id',
          'prefix',
          'domain',
          'created_at',
          'last_used_at',
          'revoked_at',
        ]);
        return { json: listed, text };
      }),
    );
}
