import { Option } from 'commander';
import type { Operator } from '../../auth/people/administrator.js';
import type { PersonWithLink } from '../../auth/people/people-administration.js';
import type { PersonListed } from '../../auth/people/people-list.js';
import { CLIENT_ROLES } from '../../auth/people/roles.js';
import type { Answer } from './answer.js';
import type { Cli } from './cli.js';
import { describeLink } from './describe-link.js';
import { addListOptions, firstOf, limitOf, listAnswer, type ListOptions } from './list-command.js';
import { operator } from './operator.js';
import { CLIENT, PERSON, readActor } from './option-values.js';
import type { Services } from './services.js';
import { table } from './table.js';

const COLUMNS = [
  'person_id',
  'client_id',
  'email',
  'name',
  'role',
  'state',
  'second_factor',
  'last_seen_at',
  'link_until',
  'mail',
] as const;

interface InviteOptions {
  email: string;
  role: string;
  name?: string;
  by: string;
}

interface SetOptions {
  role?: string;
  name?: string;
  by: string;
}

export function addPersonCommands(cli: Cli): void {
  const person = cli.group('person', 'people: who signs in for a client');

  addListOptions(cli.command(person, 'list', 'Lists the people of a client, or of all.'))
    .argument('[client]', CLIENT)
    .action((client: string | undefined, options: ListOptions) =>
      cli.run(async ({ people, clientFinder }) => {
        const listed =
          client === undefined
            ? await people.ofAllClients()
            : await people.ofClient(await clientFinder.find(client));
        return listAnswer(firstOf(listed, limitOf(options)), COLUMNS, 'No people.', inOneRow);
      }),
    );

  cli
    .command(
      person,
      'invite',
      'Invites somebody to sign in for a client, with a link that is shown this once.',
    )
    .argument('<client>', CLIENT)
    .requiredOption('--email <address>', 'where the invitation goes, and what they will sign in with')
    .addOption(roleOption().makeOptionMandatory())
    .option('--name <name>', 'until they have chosen one')
    .option('--by <name>', 'who does it', readActor, operator())
    .action((client: string, { by, ...given }: InviteOptions) =>
      cli.runFor(client, async ({ peopleAdministration }, clientId) =>
        withLink(await peopleAdministration.invite({ clientId, actor: by }, given)),
      ),
    );

  onPerson('set', 'Changes what somebody may do, or their name.')
    .addOption(roleOption())
    .option('--name <name>', 'what they are called')
    .action((called: string, { role, name, by }: SetOptions) =>
      runOn(called, by, async ({ people, peopleAdministration }, as, id) => {
        if (role !== undefined) await peopleAdministration.setRole(as, id, role);
        if (name !== undefined) await peopleAdministration.rename(as, id, name);
        return answerWith(await people.one(as.clientId, id));
      }),
    );

  onPerson('disable', 'Signs somebody out everywhere, and lets them in no more.')
    .option('--force', 'even if nobody is left who can look after the client')
    .action((called: string, { force, by }: { force?: boolean; by: string }) =>
      runOn(called, by, async ({ peopleAdministration }, as, id) =>
        answerWith(await peopleAdministration.disable(as, id, { force })),
      ),
    );

  onPerson('enable', 'Lets somebody in again, with the password they had.').action(
    (called: string, { by }: { by: string }) =>
      runOn(called, by, async ({ peopleAdministration }, as, id) =>
        answerWith(await peopleAdministration.enable(as, id)),
      ),
  );

  onPerson(
    'link',
    'Makes a link by which somebody chooses a password: the invitation once more, or for a new one. It is shown this once.',
  ).action((called: string, { by }: { by: string }) =>
    runOn(called, by, async ({ peopleAdministration }, as, id) =>
      withLink(await peopleAdministration.makeLink(as, id)),
    ),
  );

  onPerson(
    'reset-second-factor',
    'Has no code asked of somebody any more, who has lost what makes them. Be sure that it is them.',
  ).action((called: string, { by }: { by: string }) =>
    runOn(called, by, async ({ peopleAdministration }, as, id) =>
      answerWith(await peopleAdministration.removeSecondFactor(as, id)),
    ),
  );

  function onPerson(name: string, description: string) {
    return cli
      .command(person, name, description)
      .argument('<person>', PERSON)
      .option('--by <name>', 'who does it', readActor, operator());
  }

  function runOn(
    called: string,
    actor: string,
    work: (services: Services, as: Operator, personId: number) => Promise<Answer>,
  ): Promise<void> {
    return cli.run(async (services) => {
      const { personId, clientId } = await services.personFinder.find(called);
      return work(services, { clientId, actor }, personId);
    });
  }
}

function roleOption(): Option {
  return new Option('--role <role>', 'what they may do').choices(CLIENT_ROLES);
}

function answerWith(person: PersonListed): Answer {
  return { json: person, text: table([inOneRow(person)], COLUMNS) };
}

function withLink(person: PersonWithLink): Answer {
  return {
    json: person,
    text: `${table([inOneRow(person)], COLUMNS)}\n${describeLink(person.url!, person.mailed)}`,
  };
}

function inOneRow({ link, ...person }: PersonListed) {
  return { ...person, link_until: link?.ends_at ?? null, mail: link?.mail ?? null };
}
