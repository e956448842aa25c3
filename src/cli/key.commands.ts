import { DESK_ROLES } from '../platform/access/signed-in-person.js';
import type { AdminKeyListItem } from '../modules/auth/keys/admin-keys.service.js';
import { type CliCommand, readEnd, readId } from './command.js';

export function addKeyCommands(program: CliCommand): void {
  const key = program.group('key', 'admin keys: the secrets with which your own programs use the admin API');

  key
    .add('add', 'Makes a key for a program. It is shown only once.')
    .requiredOption('--name <name>', 'the program, such as ERP')
    .requiredChoice('--role <role>', 'what it may do, as a person with this role at the desk', DESK_ROLES)
    .option(
      '--network <cidr>',
      'works only from here, such as 203.0.113.0/24; repeat it for more',
      readNetworks,
    )
    .option('--until <date>', 'when it ends; a date includes that day', readEnd)
    .by()
    .does(async ({ adminKeys }, { by, network: networks, until: endsAt, ...input }) => {
      const made = await adminKeys.add({ ...input, networks, endsAt }, by);
      const text = `Made key ${made.key_id} for ${made.name}:\n${made.key}\n`;
      return { json: made, text: `${text}Keep it now: it is not shown again.\n` };
    });

  key
    .add('list', 'Lists the keys, those that work first.')
    .lists('No keys.', ({ adminKeys }) => adminKeys.list(), inOneRow);

  key
    .add('revoke', 'Refuses a key from now on. This cannot be undone.')
    .argument('<key-id>', 'the number of the key, as `key list` shows it', readId)
    .by()
    .does(async ({ adminKeys }, id, { by }) => {
      const revoked = await adminKeys.revoke(id, by);
      return { json: revoked, text: `Key ${id} (${revoked.prefix}…, ${revoked.name}) is revoked.\n` };
    });
}

const readNetworks = (text: string, before: string[] = []) => [...before, text];

function inOneRow({ networks, revoked_at, last_used_address, has_ended, ...key }: AdminKeyListItem) {
  return { ...key, networks: networks?.join(' ') ?? '', state: has_ended ? 'ended' : 'active' };
}
