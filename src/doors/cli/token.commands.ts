import type { Cli } from './cli.js';
import { CLIENT, readId } from './option-values.js';
import { table } from './table.js';

export function addTokenCommands(cli: Cli): void {
  const token = cli.group('token', 'tokens: how a store proves who it is');

  cli
    .command(token, 'issue', 'Issues another token to a client. It is shown this once.')
    .argument('<client>', CLIENT)
    .requiredOption(
      '--domain <domain>',
      'the domain that the token is registered to, such as store.example.com',
    )
    .option('--force', 'even if another client has a token for this domain')
    .action((client: string, { domain, force }: { domain: string; force?: boolean }) =>
      cli.runFor(client, async ({ tokens }, id) => {
        const issued = await tokens.issue(id, domain, { force });
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
    .argument('<client>', CLIENT)
    .action((client: string) =>
      cli.runFor(client, async ({ tokens }, id) => {
        const listed = await tokens.list(id);
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
