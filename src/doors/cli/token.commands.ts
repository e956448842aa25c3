import { TOKEN_KINDS } from '../../platform/access/token-kind.js';
import { type CliCommand, readId } from './command.js';

export function addTokenCommands(program: CliCommand): void {
  const token = program.group('token', 'tokens: the secrets by which stores use the API');

  token
    .add('issue', 'Issues another token to a client. It is shown only now.')
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
